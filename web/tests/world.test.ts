// Geometry of the 3-D view, without drawing it.

import * as THREE from "three";
import { describe, expect, it } from "vitest";

import type { Geom, Laser } from "../src/messages";
import { twist } from "../src/world/hand";
import { LaserPoints } from "../src/world/laser_points";
import { isGround, merge, pose, shape } from "../src/world/shapes";
import { Surfaces } from "../src/world/surfaces";
import { Trails } from "../src/world/trails";
import { frame, scene } from "./helpers";

const QUARTER: [number, number, number, number] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // about z, w first

function geom(more: Partial<Geom> = {}): Geom {
  return {
    name: "",
    body: 1,
    kind: "box",
    size: [1, 2, 3],
    pos_b: [0, 0, 0],
    quat_b: [1, 0, 0, 0],
    rgba: [1, 0, 0, 1],
    mesh: -1,
    material: -1,
    collides: true,
    visible: true,
    ...more,
  };
}

function size(geometry: THREE.BufferGeometry | null): number[] {
  geometry!.computeBoundingBox();
  return geometry!.boundingBox!.getSize(new THREE.Vector3()).toArray();
}

function close(found: ArrayLike<number>, expected: number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, k) => {
    expect(found[k]).toBeCloseTo(value, 5);
  });
}

it("a pose takes MuJoCo's quaternions, w first", () => {
  const at = new THREE.Vector3(1, 0, 0).applyMatrix4(pose([10, 20, 30], QUARTER));
  close(at.toArray(), [10, 21, 30]);
});

describe("shapes", () => {
  it.each([
    ["box", [2, 4, 6]],
    ["sphere", [2, 2, 2]],
    ["ellipsoid", [2, 4, 6]],
    ["cylinder", [2, 2, 4]],
    ["capsule", [2, 2, 6]],
  ] as const)("a %s has MuJoCo's half sizes, its axis along z", (kind, expected) => {
    const found = size(shape(geom({ kind }), scene()));
    expected.forEach((value, k) => {
      expect(Math.abs(found[k]! - value)).toBeLessThan(0.02 * value); // round ones are polygons
    });
  });

  it("lie where they are on the body", () => {
    close(size(shape(geom({ quat_b: QUARTER }), scene())), [4, 2, 6]);
    const moved = shape(geom({ pos_b: [5, 0, 0] }), scene())!;
    moved.computeBoundingBox();
    close(moved.boundingBox!.getCenter(new THREE.Vector3()).toArray(), [5, 0, 0]);
  });

  it("come from meshes, or not at all when there is none", () => {
    const meshes = [{ vertices: [0, 0, 0, 1, 0, 0, 0, 2, 0], faces: [0, 1, 2], uv: [] }];
    close(size(shape(geom({ kind: "mesh", mesh: 0 }), scene({ meshes }))), [1, 2, 0]);
    expect(shape(geom({ kind: "mesh", mesh: -1 }), scene({ meshes }))).toBeNull();
    expect(merge([geom({ kind: "mesh", mesh: 7 })], scene())).toBeNull();
  });

  it("become one with all their vertices and colours", () => {
    const both = merge([geom(), geom({ kind: "sphere", rgba: [0, 0, 1, 1] })], scene())!;
    const count = both.getAttribute("position").count;
    const alone = shape(geom(), scene())!.getAttribute("position").count;
    expect(count).toBeGreaterThan(alone);
    const colors = both.getAttribute("color");
    expect([colors.getX(0), colors.getZ(0)]).toEqual([1, 0]);
    expect([colors.getX(count - 1), colors.getZ(count - 1)]).toEqual([0, 1]);
  });
});

it("ground is a level plane of the world at height 0", () => {
  const plane = geom({ kind: "plane", body: 0 });
  expect(isGround(plane)).toBe(true);
  expect(isGround({ ...plane, quat_b: QUARTER })).toBe(true);
  expect(isGround({ ...plane, pos_b: [0, 0, 1] })).toBe(false);
  expect(isGround({ ...plane, body: 1 })).toBe(false);
  expect(isGround({ ...plane, quat_b: [0.99, 0.1, 0, 0] })).toBe(false);
  expect(isGround({ ...plane, kind: "box" })).toBe(false);
});

it("laser points lie where rays end; rays that hit nothing have none", () => {
  const laser: Laser = {
    name: "laser",
    body: 1,
    pos_b: [0, 0, 0.5],
    quat_b: [1, 0, 0, 0],
    angle_min: 0,
    angle_step: Math.PI / 2,
    count: 3,
  };
  const points = new LaserPoints(scene({ lasers: [laser, { ...laser, pos_b: [0, 0, 0], count: 1 }] }));
  const poses = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 10, 0, 2, ...QUARTER);
  points.update(Float64Array.of(4, Infinity, 3, 1), poses);
  expect(points.points.geometry.drawRange.count).toBe(3);
  const places = points.points.geometry.getAttribute("position").array;
  close(Array.from(places).slice(0, 9), [10, 4, 2.5, 10, -3, 2.5, 10, 1, 2]);
});

describe("trails", () => {
  const pose7 = (x: number) => Float64Array.of(x, 0, 1, 1, 0, 0, 0);
  const line = (trails: Trails) => trails.root.children[1] as THREE.Line;
  const count = (trails: Trails) => line(trails).geometry.drawRange.count;

  it("remember twenty points a second, and start over when time goes back", () => {
    const trails = new Trails([0]);
    for (let k = 0; k <= 100; k++) trails.remember(k / 128, pose7(k));
    expect(count(trails)).toBe(Math.floor(100 / 7) + 1);
    trails.remember(0.1, pose7(0));
    expect(count(trails)).toBe(1);
  });

  it("forget their oldest point when they are full", () => {
    const trails = new Trails([0]);
    for (let k = 0; k < 1205; k++) trails.remember(k, pose7(k));
    expect(count(trails)).toBe(1200);
    const places = line(trails).geometry.getAttribute("position");
    expect([places.getX(0), places.getX(1199)]).toEqual([5, 1204]);
  });

  it("hang a thread from each vehicle to the ground", () => {
    const trails = new Trails([0]);
    trails.update(pose7(3));
    close(trails.threads.geometry.getAttribute("position").array, [3, 0, 1, 3, 0, 0]);
  });
});

describe("a trail", () => {
  const points = (times: number[]) => {
    const trails = new Trails([0]);
    for (const time of times) trails.remember(time, Float64Array.from([time, 0, 0, 1, 0, 0, 0]));
    const [, line] = trails.root.children as THREE.Line[];
    return line!.geometry.drawRange.count;
  };
  it("draws no line across a jump in time, forward or back, and does across the steps of a fast run", () => {
    expect(points([0, 0.1, 0.2, 0.3])).toBe(4);
    expect(points([0, 0.1, 0.2, 30, 30.1])).toBe(2);
    expect(points([9, 9.1, 9.2, 3, 3.1, 3.2])).toBe(3);
    expect(points([0, 1, 2.5, 3, 6])).toBe(5);
  });
});

describe("a twist", () => {
  it("turns the near side of a body along the pull", () => {
    const facing = new THREE.Vector3(1, 0, 0); // looking along x, left is y
    const torque = twist(new THREE.Vector3(0, 3, 0), facing, 0.5);
    const near = new THREE.Vector3(-1, 0, 0);
    close(torque.toArray(), [0, 0, -1.5]);
    expect(torque.clone().cross(near).y).toBeGreaterThan(0);
  });
});

describe("surfaces", () => {
  const hinged = scene({
    geoms: [geom({ pos_b: [-1.2, 0, 0], size: [0.2, 0.5, 0.01] })],
    surfaces: [{ geom: 0, pos_b: [-1, 0, 0], axis_b: [0, 1, 0], signal: "plane.drive.1", angle: 0.5 }],
  });

  function turned(row: number, value: number): THREE.Vector3 {
    const links = [new THREE.Group(), new THREE.Group()];
    const made = new Surfaces(hinged, links, () => new THREE.Material(), () => row);
    made.turn(frame({ signals: [value] }));
    links[1]!.updateMatrixWorld(true);
    return new THREE.Vector3(-0.4, 0, 0).applyMatrix4(made.solids[0]!.matrixWorld); // its trailing edge
  }

  it("turn about their hinges by what their channel has", () => {
    close(turned(0, 0).toArray(), [-1.4, 0, 0]);
    close(turned(0, 1).toArray(), [-1 - 0.4 * Math.cos(0.5), 0, 0.4 * Math.sin(0.5)]);
    expect(turned(0, -1).z).toBeLessThan(0);
  });

  it("rest where a recording does not have the channel", () => {
    close(turned(-1, 1).toArray(), [-1.4, 0, 0]);
    close(turned(0, NaN).toArray(), [-1.4, 0, 0]);
  });
});
