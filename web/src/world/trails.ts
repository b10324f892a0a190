// Where each vehicle has been, and a thread from it to the ground that shows its height.

import * as THREE from "three";

import { COLORS } from "../colors";

const LENGTH = 1200;
const SPACING = 0.05;
/** A step in time this many times as long as the one before, and longer than this [s], is a jump: the trail begins anew. */
const [JUMP, LEAST_JUMP] = [5, 0.5];
/** A long step is remembered for some time: a fast run's are uneven. */
const FADES = 0.9;

export function vehicleColor(vehicle: number): string {
  return COLORS[vehicle % COLORS.length]!;
}

class Trail {
  readonly line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly points = new Float32Array(3 * LENGTH);
  private count = 0;
  private last = -Infinity;
  /** [s] between two points lately. */
  private step = 0;

  constructor(color: string) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.points, 3).setUsage(THREE.DynamicDrawUsage));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.8 }));
    this.line.frustumCulled = false;
  }

  add(time: number, x: number, y: number, z: number): void {
    const step = time - this.last;
    if (step < 0 || (this.count > 1 && step > Math.max(LEAST_JUMP, JUMP * this.step))) this.count = 0;
    else if (step < SPACING && this.count) return;
    this.step = this.count ? Math.max(step, FADES * this.step) : 0;
    this.last = time;
    if (this.count === LENGTH) {
      this.points.copyWithin(0, 3);
      this.count -= 1;
    }
    this.points.set([x, y, z], 3 * this.count);
    this.count += 1;
    this.line.geometry.setDrawRange(0, this.count);
    this.line.geometry.getAttribute("position").needsUpdate = true;
  }
}

export class Trails {
  readonly root = new THREE.Group();
  private readonly trails: Trail[];
  readonly threads: THREE.LineSegments;

  constructor(private readonly roots: number[]) {
    this.trails = roots.map((_, k) => new Trail(vehicleColor(k)));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * roots.length), 3));
    this.threads = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ color: "#64748b", transparent: true, opacity: 0.45 }),
    );
    this.threads.frustumCulled = false;
    this.root.add(this.threads, ...this.trails.map((trail) => trail.line));
  }

  /** Frames may come faster than pictures: each is remembered. */
  remember(time: number, poses: Float64Array): void {
    this.roots.forEach((body, k) =>
      this.trails[k]!.add(time, poses[7 * body]!, poses[7 * body + 1]!, poses[7 * body + 2]!),
    );
  }

  update(poses: Float64Array): void {
    const ends = this.threads.geometry.getAttribute("position") as THREE.BufferAttribute;
    this.roots.forEach((body, k) => {
      const [x, y, z] = [poses[7 * body]!, poses[7 * body + 1]!, poses[7 * body + 2]!];
      ends.setXYZ(2 * k, x, y, z);
      ends.setXYZ(2 * k + 1, x, y, 0);
    });
    ends.needsUpdate = true;
  }
}
