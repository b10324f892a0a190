// The path that each vehicle has been given: its places in turn, a line through them, threads to the ground.

import * as THREE from "three";

import type { Scene } from "../messages";
import { discard } from "./shapes";
import { vehicleColor } from "./trails";

export class Plans {
  readonly root = new THREE.Group();

  constructor(scene: Scene, radii: number[]) {
    this.show(scene, radii);
  }

  /** Draw the plans as they are now. */
  show(scene: Scene, radii: number[]): void {
    discard(this.root);
    this.root.clear();
    scene.vehicles.forEach(({ plan }, vehicle) => {
      if (!plan.length) return;
      const places = plan.map(({ position }) => new THREE.Vector3(...position));
      const color = vehicleColor(vehicle);
      const line = new THREE.Line(
        new THREE.BufferGeometry().setFromPoints(places),
        new THREE.LineDashedMaterial({ color, transparent: true, opacity: 0.75 }),
      );
      const long = places.slice(1).reduce((sum, place, k) => sum + place.distanceTo(places[k]!), 0);
      line.material.dashSize = line.material.gapSize = Math.max(0.05, long / 160);
      line.computeLineDistances();
      this.root.add(line, threads(places, color), signs(places, color, 0.16 * (radii[vehicle] ?? 1)));
    });
  }
}

function threads(places: THREE.Vector3[], color: string): THREE.LineSegments {
  const ends = places.flatMap((place) => [place, new THREE.Vector3(place.x, place.y, 0)]);
  const material = new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.35 });
  return new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(ends), material);
}

/** A diamond at each place. */
function signs(places: THREE.Vector3[], color: string, size: number): THREE.InstancedMesh {
  const material = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.7 });
  const mesh = new THREE.InstancedMesh(new THREE.OctahedronGeometry(size), material, places.length);
  places.forEach((place, k) => mesh.setMatrixAt(k, new THREE.Matrix4().setPosition(place)));
  mesh.frustumCulled = false;
  return mesh;
}
