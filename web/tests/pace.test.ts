import { beforeEach, expect, it } from "vitest";

import { Pace } from "../src/pace";
import { remember } from "../src/remembered";

beforeEach(() => remember("cupola.pictures", ""));

/** Moments [ms] within a second at which pictures are drawn that take `cost` ms, asked for 60 times. */
function drawn(pace: Pace, cost: number, stands = false): number[] {
  const at: number[] = [];
  for (let k = 0; k < 60; k++) {
    const now = (1000 * k) / 60;
    const free = at.length === 0 || now >= at.at(-1)! + cost - 1e-6;
    if (free && pace.due(now, stands)) at.push(now);
  }
  return at;
}

it("draws every picture of a screen with a graphics card", () => {
  expect(drawn(new Pace(false), 0)).toHaveLength(60);
});

it("leaves half of the time to the simulation without one", () => {
  expect(drawn(new Pace(true), 0)).toHaveLength(30);
  const slow = drawn(new Pace(true), 100);
  expect(slow.length).toBeGreaterThanOrEqual(4);
  expect(slow.length).toBeLessThanOrEqual(6);
});

it("draws what was asked for, remembers it, and says what a picture takes", () => {
  const pace = new Pace(false);
  pace.most = 15;
  expect(drawn(pace, 0)).toHaveLength(15);
  expect(pace.took).toBeGreaterThan(14);
  expect(pace.took).toBeLessThan(17);
  expect(new Pace(true).most).toBe(15);
  pace.most = 0;
  expect(drawn(new Pace(false), 0)).toHaveLength(60);
});

it("draws a world that stands rarely, until somebody touches the page", () => {
  const pace = new Pace(false);
  expect(drawn(pace, 0, true).length).toBeLessThanOrEqual(5);
  const woken = new Pace(false);
  woken.wake(0);
  expect(drawn(woken, 0, true)).toHaveLength(60);
});
