// Where the rays of the laser scanners end.

import * as THREE from "three";

import type { Scene } from "../messages";
import { pose } from "./shapes";

export class LaserPoints {
  readonly points: THREE.Points;
  private readonly places: Float32Array;
  /** Direction of each ray in its scanner's frame, and the scanner's pose on its body. */
  private readonly mounts: { body: number; matrix: THREE.Matrix4; ways: Float32Array }[];
  private readonly matrix = new THREE.Matrix4();
  private readonly link = new THREE.Matrix4();
  private readonly at = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly one = new THREE.Vector3(1, 1, 1);

  constructor(scene: Scene) {
    this.mounts = scene.lasers.map((laser) => {
      const ways = new Float32Array(2 * laser.count);
      for (let k = 0; k < laser.count; k++) {
        const angle = laser.angle_min + k * laser.angle_step;
        ways.set([Math.cos(angle), Math.sin(angle)], 2 * k);
      }
      return { body: laser.body, matrix: pose(laser.pos_b, laser.quat_b), ways };
    });
    this.places = new Float32Array(
      3 *
        Math.max(
          1,
          scene.lasers.reduce((sum, laser) => sum + laser.count, 0),
        ),
    );
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setDrawRange(0, 0);
    this.points = new THREE.Points(
      geometry,
      new THREE.PointsMaterial({ color: "#f43f5e", size: 4, sizeAttenuation: false }),
    );
    this.points.frustumCulled = false;
  }

  update(ranges: Float64Array, poses: Float64Array): void {
    let ray = 0;
    let shown = 0;
    for (const { body, matrix, ways } of this.mounts) {
      const p = 7 * body;
      this.at.set(poses[p]!, poses[p + 1]!, poses[p + 2]);
      this.turn.set(poses[p + 4]!, poses[p + 5]!, poses[p + 6]!, poses[p + 3]!);
      const m = this.matrix.multiplyMatrices(this.link.compose(this.at, this.turn, this.one), matrix).elements;
      for (let k = 0; k < ways.length / 2; k++, ray++) {
        const range = ranges[ray]!;
        if (!Number.isFinite(range)) continue;
        const [x, y] = [range * ways[2 * k]!, range * ways[2 * k + 1]!];
        for (let axis = 0; axis < 3; axis++)
          this.places[3 * shown + axis] = m[axis]! * x + m[4 + axis]! * y + m[12 + axis]!;
        shown += 1;
      }
    }
    this.points.geometry.setDrawRange(0, shown);
    this.points.geometry.getAttribute("position").needsUpdate = true;
  }
}
