// Ailerons, elevators and rudders of a look, turned about their hinges by the channels that deflect them.

import * as THREE from "three";

import type { Frame } from "../frame";
import type { Scene } from "../messages";
import { shape } from "./shapes";

interface Turning {
  hinge: THREE.Group;
  axis: THREE.Vector3;
  /** Row of section `signals`; -1 where a recording does not have it. */
  row: number;
  /** [rad] where the signal is 1. */
  angle: number;
}

export class Surfaces {
  readonly solids: THREE.Mesh[] = [];
  private readonly turning: Turning[] = [];

  /** `row`: where the frames have a signal. */
  constructor(scene: Scene, links: THREE.Group[], coat: () => THREE.Material, row: (signal: string) => number) {
    for (const { geom: place, pos_b, axis_b, signal, angle } of scene.surfaces) {
      const geom = scene.geoms[place]!;
      const geometry = geom.visible ? shape(geom, scene) : null;
      if (!geometry) continue;
      const hinge = new THREE.Group();
      hinge.position.set(...pos_b);
      const solid = new THREE.Mesh(geometry.translate(-pos_b[0], -pos_b[1], -pos_b[2]), coat());
      solid.castShadow = solid.receiveShadow = true;
      solid.userData.body = geom.body;
      hinge.add(solid);
      links[geom.body]?.add(hinge);
      this.solids.push(solid);
      this.turning.push({ hinge, axis: new THREE.Vector3(...axis_b), row: row(signal), angle });
    }
  }

  turn(frame: Frame): void {
    const signals = frame.get("signals");
    for (const { hinge, axis, row, angle } of this.turning) {
      const value = signals[row] ?? 0;
      hinge.quaternion.setFromAxisAngle(axis, Number.isFinite(value) ? angle * value : 0);
    }
  }
}
