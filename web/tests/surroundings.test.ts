// What is drawn around the vehicles, and where one looks from.

import * as THREE from "three";
import { expect, it } from "vitest";

import type { Geom, Rotor } from "../src/messages";
import { spot } from "../src/world/labels";
import { Plans } from "../src/world/plans";
import { dice, isFree, seedOf, siteOf } from "../src/world/scenery";
import { clearOf } from "../src/world/views";
import { scene, vehicle } from "./helpers";

const rotor = (quat_b: Rotor["quat_b"]): Rotor => ({ name: "r", body: 1, pos_b: [0, 0, 0], quat_b, radius: 0.1 });
const AHEAD = rotor([1, 0, 0, 0]);
const UP = rotor([Math.SQRT1_2, 0, -Math.SQRT1_2, 0]);
const plan = (...places: [number, number, number][]) => places.map((position) => ({ position, land: false }));

it("surroundings suit what flies there", () => {
  expect(siteOf(scene({ rotors: [UP] }))).toBe("pad");
  expect(siteOf(scene({ rotors: [AHEAD, UP] }))).toBe("pad");
  expect(siteOf(scene({ rotors: [AHEAD] }))).toBe("runway");
  expect(siteOf(scene({ loads: ["bird.left_wing"] }))).toBe("meadow");
  expect(siteOf(scene({ loads: ["base.wheel_fl"] }))).toBe("hall");
});

it("the same seed gives the same trees, another name another wood", () => {
  const three = (seed: number) => Array.from({ length: 3 }, dice(seed));
  expect(three(seedOf("square"))).toEqual(three(seedOf("square")));
  expect(three(seedOf("square"))).not.toEqual(three(seedOf("squares")));
  expect(three(1).every((number) => number >= 0 && number < 1)).toBe(true);
});

it("nothing is planted on the runway, at low places of a plan or at obstacles", () => {
  const wall: Geom = {
    name: "",
    body: 0,
    kind: "box",
    size: [1, 1, 1],
    pos_b: [0, -300, 1],
    quat_b: [1, 0, 0, 0],
    rgba: [1, 1, 1, 1],
    mesh: -1,
    material: -1,
    collides: true,
    visible: true,
  };
  const free = isFree(scene({ geoms: [wall], vehicles: [vehicle({ plan: plan([0, 200, 5], [0, 400, 80]) })] }), 300, 1);
  expect([free(0, 0), free(250, 10), free(10, 200), free(5, -300)]).toEqual([false, false, false, false]);
  expect([free(0, 400), free(250, 100), free(600, 0)]).toEqual([true, true, true]);
});

it("a plan has a mark at each place, and a line through them", () => {
  const [line, threads, signs] = new Plans(scene({ vehicles: [vehicle({ plan: plan([1, 2, 3], [4, 5, 6]) })] }), [1]).root
    .children as [THREE.Line, THREE.LineSegments, THREE.InstancedMesh];
  expect(Array.from(line.geometry.getAttribute("position").array)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(Array.from(threads.geometry.getAttribute("position").array).slice(3, 6)).toEqual([1, 2, 0]);
  expect(signs.count).toBe(2);
  expect(new Plans(scene(), [1]).root.children).toHaveLength(0);
});

it("names stand over what is seen; arrows at the edge point to what is not", () => {
  expect(spot(new THREE.Vector3(0, 0, 0.5), 800, 400)).toEqual({ x: 400, y: 200, arrow: null });
  const right = spot(new THREE.Vector3(3, 0, 0.5), 800, 400);
  expect([right.arrow, right.x]).toEqual([-0, 774]);
  // A place behind the camera on its right has a mirrored x.
  const behind = spot(new THREE.Vector3(-3, 0, 1.2), 800, 400);
  expect([behind.arrow, behind.x]).toEqual([0, 774]);
  const above = spot(new THREE.Vector3(0, 5, 0.5), 800, 400);
  expect([above.arrow, above.y]).toEqual([-Math.PI / 2, 26]);
});

it("a chase camera stays on the vehicle's side of a wall", () => {
  const wall = new THREE.Mesh(new THREE.BoxGeometry(0.1, 10, 10));
  wall.position.x = -2;
  wall.updateMatrixWorld();
  const [target, eye] = [new THREE.Vector3(0, 0, 1), new THREE.Vector3(-6, 0, 1)];
  expect(clearOf(target, eye, [wall])!.x).toBeCloseTo(-1.8, 6);
  expect(clearOf(target, new THREE.Vector3(-1, 0, 1), [wall])).toBeNull();
  expect(clearOf(target, new THREE.Vector3(6, 0, 1), [wall])).toBeNull();
  expect(clearOf(target, eye, [])).toBeNull();
});
