// A pale copy of each vehicle where its controller wants it to be.

import * as THREE from "three";

import type { Scene } from "../messages";
import type { Bodies } from "./bodies";

interface Ghost {
  group: THREE.Group;
  copies: { mesh: THREE.Mesh; body: number }[];
}

export class Ghosts {
  readonly root = new THREE.Group();
  private readonly ghosts: Ghost[];
  private readonly material = new THREE.MeshBasicMaterial({
    color: "#38bdf8",
    transparent: true,
    opacity: 0.28,
    depthWrite: false,
  });
  private readonly matrix = new THREE.Matrix4();

  constructor(
    private readonly scene: Scene,
    private readonly bodies: Bodies,
  ) {
    this.ghosts = scene.vehicles.map((_, vehicle) => this.make(vehicle));
  }

  /** Goals are rows of position and yaw. Joints stand as those of the vehicle do. */
  update(goals: Float64Array, poses: Float64Array): void {
    this.ghosts.forEach(({ group, copies }, k) => {
      const [x, y, z, yaw] = [goals[4 * k] ?? NaN, goals[4 * k + 1]!, goals[4 * k + 2]!, goals[4 * k + 3]!];
      const body = this.scene.vehicles[k]!.root;
      const gap = Math.hypot(x - poses[7 * body]!, y - poses[7 * body + 1]!, z - poses[7 * body + 2]!);
      group.visible = gap > 0.25 * this.bodies.radii[k]!; // NaN is not
      if (!group.visible) return;
      group.position.set(x, y, z);
      group.rotation.set(0, 0, Number.isFinite(yaw) ? yaw : 0);
      this.matrix.copy(this.bodies.links[body]!.matrix).invert();
      for (const { mesh, body: own } of copies)
        mesh.matrix.multiplyMatrices(this.matrix, this.bodies.links[own]!.matrix);
    });
  }

  private make(vehicle: number): Ghost {
    const group = new THREE.Group();
    const copies: Ghost["copies"] = [];
    for (const solid of this.bodies.solids) {
      const body = solid.userData.body as number;
      if (this.scene.bodies[body]!.vehicle !== vehicle) continue;
      const mesh = new THREE.Mesh(solid.geometry, this.material);
      mesh.matrixAutoUpdate = false;
      copies.push({ mesh, body });
      group.add(mesh);
    }
    group.visible = false;
    this.root.add(group);
    return { group, copies };
  }
}
