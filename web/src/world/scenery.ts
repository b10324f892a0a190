// What this page alone draws around a flight, so that speed and height are felt: runway or pad, trees, houses.
// Neither cameras nor lasers see it, and nothing touches it.

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

import type { Scene } from "../messages";
import { pose } from "./shapes";

const TREES = 900;
const WOODS = 40;
const HOUSES = 60;
const VILLAGES = 5;
/** [m] from the middle within which they stand. */
const REACH = 2600;
/** [m] around the middle, places of a plan and obstacles that stay free. */
const FREE = 45;
/** [m] above which a plan passes over everything. */
const HIGH = 25;

export type Site = "runway" | "pad" | "meadow" | "hall";

/** Where a world plays, as its vehicles tell. */
export function siteOf(scene: Scene): Site {
  const shafts = scene.rotors.map(({ pos_b, quat_b }) =>
    new THREE.Vector3(1, 0, 0).transformDirection(pose(pos_b, quat_b)),
  );
  if (shafts.some(({ z }) => z > 0.7)) return "pad";
  if (shafts.length) return "runway";
  return scene.loads.some((load) => /wing/i.test(load)) ? "meadow" : "hall";
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A seed from a name. */
export function seedOf(name: string): number {
  let seed = 2166136261;
  for (const letter of name) seed = Math.imul(seed ^ letter.charCodeAt(0), 16777619);
  return seed >>> 0;
}

/** Circles and the strip that stay free of trees and houses. */
export function isFree(scene: Scene, runway: number, size: number): (x: number, y: number) => boolean {
  const low = scene.vehicles
    .flatMap(({ plan }) => plan)
    .filter(({ position }) => position[2] < HIGH)
    .map(({ position: [x, y] }) => [x, y, FREE] as const);
  const things = scene.geoms
    .filter(({ body, kind }) => body === 0 && kind !== "plane")
    .map(({ pos_b: [x, y], size: [a, b] }) => [x, y, FREE + Math.hypot(a, b)] as const);
  const circles = [[0, 0, FREE + 8 * size] as const, ...low, ...things];
  return (x, y) =>
    circles.every(([cx, cy, r]) => Math.hypot(x - cx, y - cy) > r) &&
    !(runway > 0 && Math.abs(y) < FREE + 4 * size && Math.abs(x) < 1.3 * runway);
}

export class Scenery {
  readonly root = new THREE.Group();

  /** `modest`: a quarter of the trees and houses, where there is no graphics card. */
  constructor(scene: Scene, seed: number, size: number, modest: boolean) {
    const site = siteOf(scene);
    if (site === "hall") return;
    const roll = dice(seed);
    const long = site === "runway" ? Math.max(260, 130 * size) : 0;
    const free = isFree(scene, long, size);
    if (long) this.root.add(sharp(runway(long, Math.max(9, 3.6 * size)), modest));
    if (site === "pad") this.root.add(sharp(pad(Math.max(0.9, 2.6 * size)), modest));
    const share = modest ? 0.25 : 1;
    const woods = groups(roll, WOODS, 30, 170);
    const villages = groups(roll, VILLAGES, 60, 140);
    this.root.add(
      scatter(tree(), share * TREES, roll, woods, free, 1, ["#4d6b35", "#5c7a3d", "#42602f", "#6d8443"]),
      scatter(house(), share * HOUSES, roll, villages, free, 1, ["#f1ece2", "#e6dccb", "#ddd5c8", "#efe3d3"]),
    );
  }
}

interface Circle {
  x: number;
  y: number;
  r: number;
}

function groups(roll: () => number, count: number, least: number, most: number): Circle[] {
  return Array.from({ length: count }, () => {
    const [angle, far] = [2 * Math.PI * roll(), 90 + (REACH - 90) * roll() ** 1.5];
    return { x: far * Math.cos(angle), y: far * Math.sin(angle), r: least + (most - least) * roll() };
  });
}

function scatter(
  shape: THREE.BufferGeometry,
  count: number,
  roll: () => number,
  around: Circle[],
  free: (x: number, y: number) => boolean,
  scale: number,
  colors: string[],
): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(shape, new THREE.MeshLambertMaterial({ vertexColors: true }), count);
  const at = new THREE.Object3D();
  let placed = 0;
  for (let tried = 0; placed < count && tried < 5 * count; tried++) {
    const group = around[Math.floor(roll() * around.length)]!;
    const [angle, far] = [2 * Math.PI * roll(), group.r * Math.sqrt(roll())];
    const [x, y] = [group.x + far * Math.cos(angle), group.y + far * Math.sin(angle)];
    const [turn, size, color] = [2 * Math.PI * roll(), scale * (0.7 + 0.6 * roll()), Math.floor(roll() * colors.length)];
    if (!free(x, y)) continue;
    at.position.set(x, y, 0);
    at.rotation.set(0, 0, turn);
    at.scale.set(size, size, size * (0.85 + 0.3 * roll()));
    at.updateMatrix();
    mesh.setMatrixAt(placed, at.matrix);
    mesh.setColorAt(placed, new THREE.Color(colors[color]));
    placed++;
  }
  mesh.count = placed;
  mesh.frustumCulled = false;
  return mesh;
}

/** One colour for all vertices; instances multiply it. */
function painted(geometry: THREE.BufferGeometry, color: string): THREE.BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  flat.computeVertexNormals();
  flat.deleteAttribute("uv");
  const { count } = flat.getAttribute("position");
  const { r, g, b } = new THREE.Color(color);
  flat.setAttribute(
    "color",
    new THREE.Float32BufferAttribute(
      Array.from({ length: count }, () => [r, g, b]).flat(),
      3,
    ),
  );
  return flat;
}

function tree(): THREE.BufferGeometry {
  return mergeGeometries([
    painted(new THREE.CylinderGeometry(0.22, 0.32, 2.6, 5, 1, true).rotateX(Math.PI / 2).translate(0, 0, 1.3), "#c9a27e"),
    painted(new THREE.IcosahedronGeometry(2.5, 0).scale(1, 1, 1.15).translate(0, 0, 4.6), "#ffffff"),
    painted(new THREE.IcosahedronGeometry(1.8, 0).rotateZ(0.7).translate(0.9, 0.5, 6.4), "#f2ffe0"),
  ]);
}

function house(): THREE.BufferGeometry {
  const roof = new THREE.CylinderGeometry(0.01, 1, 1, 4, 1)
    .rotateY(Math.PI / 4)
    .rotateX(Math.PI / 2)
    .scale(9.6 / Math.SQRT2, 7.4 / Math.SQRT2, 3)
    .translate(0, 0, 5.9);
  return mergeGeometries([
    painted(new THREE.BoxGeometry(8.6, 6.4, 4.4).translate(0, 0, 2.2), "#ffffff"),
    painted(roof, "#b06a4f"),
  ]);
}

type Flat = THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial>;

/** Flat on the ground. */
function flat(width: number, height: number, paint: HTMLCanvasElement): Flat {
  const map = new THREE.CanvasTexture(paint);
  map.colorSpace = THREE.SRGBColorSpace;
  // Nearer than a patch of the floor in the same place, whose depth is as coarse.
  const nearer = { polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -16 };
  const material = new THREE.MeshLambertMaterial({ map, depthWrite: false, alphaTest: 0.5, ...nearer });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, height), material);
  mesh.receiveShadow = true;
  mesh.position.z = 0.002;
  mesh.renderOrder = 0.5;
  return mesh;
}

/** Clear where it is seen from the side, which software would take long for. */
function sharp(mesh: Flat, modest: boolean): Flat {
  mesh.material.map!.anisotropy = modest ? 1 : 8;
  return mesh;
}

function canvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const made = document.createElement("canvas");
  Object.assign(made, { width, height });
  return [made, made.getContext("2d")!];
}

/** Along x through the middle: bars at both ends, a dashed line between. */
function runway(long: number, wide: number): Flat {
  const [paint, pen] = canvas(2048, 128);
  pen.fillStyle = "#5b6066";
  pen.fillRect(0, 0, 2048, 128);
  pen.fillStyle = "#e8eaec";
  for (const edge of [4, 121]) pen.fillRect(0, edge, 2048, 3);
  for (let x = 150; x < 1900; x += 64) pen.fillRect(x, 62, 34, 4);
  for (const x of [16, 2048 - 76]) for (let y = 14; y < 112; y += 14) pen.fillRect(x, y, 60, 6);
  const mesh = flat(long, wide, paint);
  mesh.position.x = 0.38 * long;
  return mesh;
}

/** A round place to land on. */
function pad(radius: number): Flat {
  const [paint, pen] = canvas(512, 512);
  const disc = (r: number, color: string) => {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(256, 256, r, 0, 2 * Math.PI);
    pen.fill();
  };
  disc(254, "#6a7077");
  disc(222, "#e8eaec");
  disc(206, "#6a7077");
  pen.fillStyle = "#e8eaec";
  pen.fillRect(178, 150, 30, 212);
  pen.fillRect(304, 150, 30, 212);
  pen.fillRect(200, 241, 112, 30);
  const mesh = flat(2 * radius, 2 * radius, paint);
  mesh.rotation.z = -Math.PI / 2; // its letter is upright for who looks along x
  return mesh;
}
