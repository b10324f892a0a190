import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type AxisMap, deflection, Gamepads, usualMap } from "../src/input/gamepad";
import { browser, gamepad, quiet } from "./helpers";

let pads: (Gamepad | null)[];

beforeEach(() => ({ pads } = browser()));
afterEach(quiet);

describe("the deflection of an axis", () => {
  const plain: AxisMap = { axis: 0, low: -1, rest: 0, high: 1 };

  it.each([
    [0, 0],
    [1, 1],
    [-1, -1],
    [0.1, 0],
    [-0.1, 0],
    [0.55, 0.5],
    [-0.55, -0.5],
    [1.2, 1],
  ])("is straight outside the dead zone: %d gives %d", (reading, expected) => {
    expect(deflection(reading, plain, 0.1)).toBeCloseTo(expected, 12);
  });

  it("is reversed when the ends are", () => {
    const reversed: AxisMap = { axis: 0, low: 1, rest: 0, high: -1 };
    expect(deflection(0.5, reversed, 0)).toBe(-0.5);
    expect(deflection(-1, reversed, 0)).toBe(1);
  });

  it("reaches both ends of an axis that rests off its middle", () => {
    const askew: AxisMap = { axis: 0, low: -0.6, rest: 0.2, high: 0.8 };
    expect(deflection(0.8, askew, 0)).toBeCloseTo(1, 12);
    expect(deflection(0.5, askew, 0)).toBeCloseTo(0.5, 12);
    expect(deflection(-0.2, askew, 0)).toBeCloseTo(-0.5, 12);
    expect(deflection(-0.6, askew, 0)).toBeCloseTo(-1, 12);
  });

  it("is 0 for an axis without a way to go", () => {
    expect(deflection(0.5, { axis: 0, low: 0, rest: 0, high: 0 }, 0)).toBe(0);
  });
});

describe("a gamepad", () => {
  it("flies as camera drones do: left stick up and turn, right stick along and across", () => {
    const gamepads = new Gamepads();
    pads[0] = gamepad([0.5, -1, 1, -1]);
    const at = gamepads.sticks()!;
    expect(at.yaw).toBeCloseTo((0.5 - 0.06) / 0.94, 12);
    expect([at.throttle, at.roll, at.pitch]).toEqual([1, 1, -1]);
  });

  it("is absent where there is none, and where the browser gives none", () => {
    const gamepads = new Gamepads();
    pads.push(null);
    expect(gamepads.sticks()).toBeNull();
    vi.stubGlobal("navigator", {});
    expect(gamepads.device).toBeNull();
  });

  it("does not fly from the table: it is taken once a stick is moved, until it is let go", () => {
    const gamepads = new Gamepads();
    const taken = (gamepads.onTaken = vi.fn());
    pads[0] = gamepad([0.2, 0, 0, 0], [0]);
    expect(gamepads.read()).toBeNull();
    expect(gamepads.buttons()).toEqual([]);
    pads[0] = gamepad([0.6, 0, 0, 0], [0]);
    expect(gamepads.read()).not.toBeNull();
    pads[0] = gamepad([0, 0, 0, 0], [0]);
    expect(gamepads.read()).toEqual({ roll: 0, pitch: 0, yaw: 0, throttle: 0 });
    expect(taken).toHaveBeenCalledOnce();
    expect(gamepads.buttons()).toEqual([
      [6, 1],
      [7, 0],
    ]);
    gamepads.letGo();
    expect(gamepads.read()).toBeNull();
  });

  it("does not fly while it is lent or its map is made", () => {
    const gamepads = new Gamepads();
    pads[0] = gamepad([1, 0, 0, 0]);
    gamepads.lent = true;
    expect(gamepads.read()).toBeNull();
    expect(gamepads.sticks()).not.toBeNull();
    gamepads.resting = true;
    expect(gamepads.sticks()).toBeNull();
  });

  it("stops the motors once per press", () => {
    const gamepads = new Gamepads();
    const stop = (gamepads.onEmergency = vi.fn());
    for (const pressed of [[], [1], [1], [], [1]]) {
      pads[0] = gamepad([0, 0, 0, 0], pressed);
      gamepads.sticks();
    }
    expect(stop).toHaveBeenCalledTimes(2);
  });

  it("remembers its map by its name, and forgets no key that a kept map lacks", () => {
    const gamepads = new Gamepads();
    pads[0] = gamepad([0, 0, 0, 0], [], "one");
    expect(gamepads.device?.id).toBe("one");
    gamepads.mapping = { ...usualMap(), dead_zone: 0.25 };
    localStorage.setItem("cupola.gamepad.two", '{"emergency": 9}');
    localStorage.setItem("cupola.gamepad.three", "not JSON");
    const map = (id: string) => {
      const fresh = new Gamepads();
      pads[0] = gamepad([0, 0, 0, 0], [], id);
      return fresh.device && fresh.mapping;
    };
    expect(map("one")?.dead_zone).toBe(0.25);
    expect(map("two")).toEqual({ ...usualMap(), emergency: 9 });
    expect(map("three")).toEqual(usualMap());
  });

  it("stands at rest on an axis that the device lacks or the map leaves out", () => {
    const gamepads = new Gamepads();
    pads[0] = gamepad([1, 1]);
    expect(gamepads.device).not.toBeNull();
    gamepads.mapping.axes.yaw.axis = -1;
    expect(gamepads.sticks()).toEqual({ roll: 0, pitch: 0, yaw: 0, throttle: -1 });
  });
});
