// Lamps of the model. Its sun is the page's sun, which throws the shadows.

import * as THREE from "three";

import type { Light, Scene } from "../messages";

/** Lamps that are drawn: each is paid for in every pixel. */
const MOST = 4;
/** [cd] of a lamp of MuJoCo with full colour, by eye. */
const BRIGHT = 14;

/** Where the first sun shines to; null where the model has none. */
export function sunOf(scene: Scene): Light["dir_b"] | null {
  return scene.lights.find(({ kind, body }) => kind === "directional" && body === 0)?.dir_b ?? null;
}

/** Fix the other lamps to their bodies. */
export function hangLamps(scene: Scene, links: THREE.Group[]): void {
  const lamps = scene.lights.filter(({ kind }) => kind !== "directional").slice(0, MOST);
  for (const { kind, body, pos_b, dir_b, colour } of lamps) {
    const color = new THREE.Color(...colour);
    const lamp =
      kind === "spot"
        ? new THREE.SpotLight(color, BRIGHT, 0, Math.PI / 4, 0.4)
        : new THREE.PointLight(color, BRIGHT);
    lamp.position.set(...pos_b);
    links[body]?.add(lamp);
    if (!(lamp instanceof THREE.SpotLight)) continue;
    lamp.target.position.set(...dir_b).add(lamp.position);
    links[body]?.add(lamp.target);
  }
}
