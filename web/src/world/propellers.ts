// Propellers that visibly turn: blades at a speed that eyes and screens can follow, and a disc as they blur.

import * as THREE from "three";

import type { Geom, Scene } from "../messages";
import { pose, shape } from "./shapes";

/** [rad/s] of the drawn blades: at 60 pictures a second two blades stand still near 188 rad/s. */
const FASTEST_DRAWN = 24;
const BLURRED = 60;
const NAMED = /prop/i;
const NEAR = 0.25;
/** [m] drawn where nothing says how large it is. */
const USUAL = 0.1;

interface Turning {
  hub: THREE.Group;
  disc: THREE.Mesh<THREE.CircleGeometry, THREE.MeshBasicMaterial>;
  angle: number;
}

export class Propellers {
  private readonly turning: Turning[] = [];

  constructor(scene: Scene, links: THREE.Group[]) {
    for (const rotor of scene.rotors) {
      const mount = new THREE.Group();
      pose(rotor.pos_b, rotor.quat_b).decompose(mount.position, mount.quaternion, mount.scale);
      const hub = new THREE.Group();
      const inverse = pose(rotor.pos_b, rotor.quat_b).invert();
      const own = scene.geoms.filter(
        (g) => g.body === rotor.body && Propellers.turns(g, scene) && nearest(g, scene) === rotor,
      );
      for (const geom of own) hub.add(blade(shape(geom, scene)!.applyMatrix4(inverse)));
      const radius = rotor.radius || Math.max(0, ...own.map((geom) => Math.max(...geom.size))) || USUAL;
      if (!own.length) hub.add(blade(paddle(radius)));
      const along = own.length ? new THREE.Vector3(...own[0]!.pos_b).applyMatrix4(inverse).x : 0;
      const disc = makeDisc(radius, along);
      mount.add(hub, disc);
      links[rotor.body]?.add(mount);
      this.turning.push({ hub, disc, angle: 0 });
    }
  }

  /** Whether a shape is drawn turning: it is called a propeller and lies at a rotor. */
  static turns(geom: Geom, scene: Scene): boolean {
    return NAMED.test(geom.name) && geom.visible && nearest(geom, scene) !== null;
  }

  set visible(on: boolean) {
    for (const { hub, disc } of this.turning) hub.visible = disc.visible = on;
  }

  /** Turn by the speeds [rad/s] about the shafts, for some seconds of the world. */
  turn(spins: Float64Array, seconds: number): void {
    for (let k = 0; k < this.turning.length; k++) {
      const one = this.turning[k]!;
      const speed = spins[k] ?? 0;
      const drawn = Math.sign(speed) * Math.min(Math.abs(speed), FASTEST_DRAWN);
      one.angle = (one.angle + drawn * seconds) % (2 * Math.PI);
      one.hub.rotation.x = one.angle;
      one.disc.material.opacity = 0.28 * Math.min(1, Math.abs(speed) / BLURRED);
    }
  }
}

function nearest(geom: Geom, scene: Scene): Scene["rotors"][number] | null {
  const at = new THREE.Vector3(...geom.pos_b);
  const reach = (rotor: Scene["rotors"][number]) => at.distanceTo(new THREE.Vector3(...rotor.pos_b));
  const own = scene.rotors.filter((rotor) => rotor.body === geom.body && reach(rotor) < Math.max(NEAR, rotor.radius));
  return own.sort((a, b) => reach(a) - reach(b))[0] ?? null;
}

function blade(geometry: THREE.BufferGeometry): THREE.Mesh {
  const mesh = new THREE.Mesh(
    geometry,
    new THREE.MeshStandardMaterial({ vertexColors: geometry.hasAttribute("color"), color: "#ffffff", roughness: 0.5 }),
  );
  mesh.castShadow = true;
  return mesh;
}

/** Two blades in the y-z plane, for a rotor that the model does not draw. */
function paddle(radius: number): THREE.BufferGeometry {
  return new THREE.BoxGeometry(0.02 * radius, 2 * radius, 0.16 * radius);
}

function makeDisc(radius: number, along: number): Turning["disc"] {
  const material = new THREE.MeshBasicMaterial({
    color: "#9aa7b8",
    transparent: true,
    opacity: 0,
    depthWrite: false,
    side: THREE.DoubleSide,
  });
  const disc = new THREE.Mesh(new THREE.CircleGeometry(radius, 40).rotateY(Math.PI / 2), material);
  disc.position.x = along;
  return disc;
}
