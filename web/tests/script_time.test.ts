import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ScriptTime } from "../src/script_time";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function picture(script: ScriptTime, took: number, before = 0): void {
  script.start();
  vi.advanceTimersByTime(took);
  script.end(before);
}

it("is 0 before the first picture", () => {
  expect(new ScriptTime().median).toBe(0);
});

it("adds what frames cost, and takes the middle: one slow picture does not count", () => {
  const script = new ScriptTime();
  picture(script, 2, 1);
  picture(script, 500);
  picture(script, 4);
  expect(script.took).toEqual([3, 500, 4]);
  expect(script.median).toBe(4);
});

it("sorts numbers as numbers", () => {
  const script = new ScriptTime();
  for (const took of [10, 9, 100]) picture(script, took);
  expect(script.median).toBe(10);
});

it("forgets old pictures", () => {
  const script = new ScriptTime();
  for (let k = 0; k < 300; k++) picture(script, 50);
  for (let k = 0; k < 300; k++) picture(script, 5);
  expect(script.took).toHaveLength(300);
  expect(Math.max(...script.took)).toBe(5);
});
