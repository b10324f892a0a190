// Many arrows in two draw calls.

import * as THREE from "three";

const HEAD = 0.28;
const UP = new THREE.Vector3(0, 1, 0);

export class Arrows {
  readonly root = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly way = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly size = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();
  private count = 0;

  constructor(
    private readonly most: number,
    color: string,
    private readonly thickness: number,
  ) {
    // Seen through everything: a force at a wheel begins inside it.
    const material = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.85, depthTest: false });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 12).translate(0, 0.5, 0);
    this.shafts = new THREE.InstancedMesh(shaft, material, Math.max(1, most));
    this.heads = new THREE.InstancedMesh(head, material, Math.max(1, most));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 9;
      mesh.count = 0;
      this.root.add(mesh);
    }
  }

  clear(): void {
    this.count = 0;
  }

  /** From a point along a vector, `length` [m] long. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, length: number): void {
    const norm = Math.hypot(dx, dy, dz);
    if (!(norm > 0) || !(length > 1e-4) || this.count >= this.most) return;
    this.way.set(dx / norm, dy / norm, dz / norm);
    this.turn.setFromUnitVectors(UP, this.way);
    const thick = Math.min(this.thickness, 0.12 * length);
    const head = Math.min(HEAD * length, 6 * thick);
    this.at.set(x, y, z);
    this.matrix.compose(this.at, this.turn, this.size.set(thick, length - head, thick));
    this.shafts.setMatrixAt(this.count, this.matrix);
    this.at.addScaledVector(this.way, length - head);
    this.matrix.compose(this.at, this.turn, this.size.set(2.4 * thick, head, 2.4 * thick));
    this.heads.setMatrixAt(this.count, this.matrix);
    this.count += 1;
  }

  show(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
