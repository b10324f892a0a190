import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Calibration } from "../src/input/calibration";
import { deflection, usualMap } from "../src/input/gamepad";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Rest, then each stick in turn, on axes 3, 2, 1, 0; the throttle is a lever that lies at 1 and goes up to -1. */
function calibrate() {
  const map = usualMap();
  const rest = [1, 0.1, 0, 0];
  const calibration = new Calibration(rest, map);
  const moved = (axis: number, value: number) => rest.map((at, k) => (k === axis ? value : at));
  const asked = [rest, moved(3, 0.9), rest, moved(2, -0.8), rest, moved(1, 0.7), rest, moved(0, -0.9)].map((axes) =>
    calibration.see(axes),
  );
  return { map, calibration, asked, rest };
}

it("asks for one stick after the other, and goes on when it has moved", () => {
  const { asked } = calibrate();
  expect(asked.map((text) => text?.[0])).toEqual(["1", "2", "2", "3", "3", "4", "4", "5"]);
  expect(asked[0]).toContain("roll to the right");
  expect(asked[7]).toContain("all its ends (4 s)");
});

it("takes the axis that moved, its first side positive", () => {
  const { map } = calibrate();
  expect(map.axes.roll).toEqual({ axis: 3, low: -1, rest: 0, high: 1 });
  expect(map.axes.pitch).toEqual({ axis: 2, low: 1, rest: 0, high: -1 });
  expect(map.axes.yaw).toEqual({ axis: 1, low: -1, rest: 0.1, high: 1 });
  expect(map.axes.throttle).toEqual({ axis: 0, low: 1, rest: 0, high: -1 });
});

it("does not take one axis for two sticks", () => {
  const map = usualMap();
  const calibration = new Calibration([0, 0], map);
  calibration.see([1, 0]);
  expect(calibration.see([1, 0])).toMatch(/^2 of 5/);
});

it("takes the ends that were seen, after which full is full", () => {
  const { map, calibration, rest } = calibrate();
  calibration.see([-0.9, -0.6, 0.7, -0.95]);
  calibration.see([1, 0.7, -0.8, 0.9]);
  vi.advanceTimersByTime(3999);
  expect(calibration.see(rest)).toContain("(1 s)");
  vi.advanceTimersByTime(1);
  expect(calibration.see(rest)).toBeNull();
  expect(map.axes.roll).toMatchObject({ low: -0.95, high: 0.9 });
  expect(map.axes.pitch).toMatchObject({ low: 0.7, high: -0.8 });
  expect(deflection(-0.8, map.axes.pitch, 0)).toBe(1);
  expect(deflection(-0.6, map.axes.yaw, 0)).toBeCloseTo(-1, 12);
  expect(deflection(-0.9, map.axes.throttle, 0)).toBe(1);
});
