// Geometry of the shapes that MuJoCo knows, in the frame of their body.

import * as THREE from "three";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

import type { Geom, Mesh, Scene } from "../messages";

export type Three = [number, number, number];
export type Four = [number, number, number, number];

/** [rad]: faces that meet at less look round. */
const CREASE = 0.6;
/** Half size [m] drawn for a plane without end. */
const ENDLESS = 5000;

export function pose(pos: Three, quat: Four): THREE.Matrix4 {
  const [w, x, y, z] = quat;
  return new THREE.Matrix4().compose(
    new THREE.Vector3(...pos),
    new THREE.Quaternion(x, y, z, w),
    new THREE.Vector3(1, 1, 1),
  );
}

function bare(geom: Geom, scene: Scene): THREE.BufferGeometry | null {
  const [a, b, c] = geom.size;
  switch (geom.kind) {
    case "sphere":
      return new THREE.SphereGeometry(a, 24, 16);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 24, 16).scale(a, b, c);
    case "capsule":
      return new THREE.CapsuleGeometry(a, 2 * b, 8, 20).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, 2 * b, 28).rotateX(Math.PI / 2);
    case "box":
      return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    case "plane":
      return new THREE.PlaneGeometry(2 * (a || ENDLESS), 2 * (b || ENDLESS));
    case "mesh":
    case "hfield":
      return fromMesh(scene, geom.mesh);
  }
}

/** Vehicles of a kind share their meshes, and the work of making them. */
const made = new WeakMap<Mesh, THREE.BufferGeometry>();

function fromMesh(scene: Scene, index: number): THREE.BufferGeometry | null {
  const mesh = scene.meshes[index];
  if (!mesh) return null;
  const known = made.get(mesh);
  if (known) return known.clone();
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.Float32BufferAttribute(mesh.vertices, 3));
  if (mesh.uv.length) indexed.setAttribute("uv", new THREE.Float32BufferAttribute(mesh.uv, 2));
  indexed.setIndex(mesh.faces);
  const rounded = toCreasedNormals(indexed, CREASE);
  made.set(mesh, rounded);
  return rounded.clone();
}

/** A shape in the frame of its body, with its colour at each vertex. */
export function shape(geom: Geom, scene: Scene, textured = false): THREE.BufferGeometry | null {
  const found = bare(geom, scene);
  if (!found) return null;
  const geometry = (found.index ? found.toNonIndexed() : found).applyMatrix4(pose(geom.pos_b, geom.quat_b));
  const count = geometry.getAttribute("position").count;
  const color = new THREE.Color().setRGB(geom.rgba[0], geom.rgba[1], geom.rgba[2], THREE.SRGBColorSpace);
  const colors = new Float32Array(3 * count);
  for (let k = 0; k < count; k++) color.toArray(colors, 3 * k);
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  if (!textured) geometry.deleteAttribute("uv");
  return geometry;
}

/** Many shapes of one body as one: a draw call costs more than a thousand triangles. */
export function merge(geoms: Geom[], scene: Scene): THREE.BufferGeometry | null {
  const shapes = geoms.map((geom) => shape(geom, scene)).filter((one) => one !== null);
  return shapes.length ? mergeGeometries(shapes) : null;
}

/** Give back what the graphics card holds for a part of the scene. */
export function discard(root: THREE.Object3D): void {
  root.traverse((one) => {
    const { geometry, material } = one as Partial<THREE.Mesh>;
    geometry?.dispose();
    for (const each of [material ?? []].flat()) each.dispose();
  });
}

/** Level ground at height 0 is drawn by the stage. */
export function isGround({ kind, body, pos_b, quat_b }: Geom): boolean {
  return kind === "plane" && body === 0 && Math.abs(pos_b[2]) < 1e-3 && Math.hypot(quat_b[1], quat_b[2]) < 1e-3;
}
