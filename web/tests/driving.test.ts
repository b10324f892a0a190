import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Driving } from "../src/input/driving";
import { Gamepads } from "../src/input/gamepad";
import type { Hand } from "../src/messages";
import { browser, fakeLink, gamepad, quiet } from "./helpers";

let page: ReturnType<typeof browser>;
beforeEach(() => (page = browser()));
afterEach(quiet);

function make(more: Parameters<typeof fakeLink>[0] = {}) {
  const { link, said } = fakeLink({ driven: new Map([[0, { by_hand: true }]]), ...more });
  const refused = vi.fn();
  const gamepads = new Gamepads();
  const driving = new Driving(link, gamepads, refused);
  driving.active = true;
  return { driving, gamepads, refused, hands: () => said as Hand[] };
}

describe("keys of manual control", () => {
  it("are sent at once, and again when they go up", () => {
    const { hands } = make();
    page.fire("keydown", { code: "KeyW" });
    page.fire("keydown", { code: "KeyQ" });
    page.fire("keyup", { code: "KeyW" });
    expect(hands().map(({ keys }) => keys)).toEqual([["KeyW"], ["KeyW", "KeyQ"], ["KeyQ"]]);
  });

  it("do nothing while the panel is out of sight", () => {
    const { driving, hands } = make();
    driving.active = false;
    expect(hands().map(({ keys }) => keys)).toEqual([[]]); // all off, said once
    expect(page.fire("keydown", { code: "KeyW" }).defaultPrevented).toBe(false);
    vi.advanceTimersByTime(500);
    expect(hands()).toHaveLength(1);
  });

  it("are repeated, so that a silent hand stops the base", () => {
    const { hands } = make();
    page.fire("keydown", { code: "KeyW" });
    vi.advanceTimersByTime(600);
    expect(hands().length).toBeGreaterThanOrEqual(10);
    expect(hands().length).toBeLessThanOrEqual(13);
  });

  it("give Space to the motors when there is nothing to stop", () => {
    const { hands } = make();
    expect(page.fire("keydown", { code: "Space" }).defaultPrevented).toBe(false);
    page.fire("keydown", { code: "KeyW" });
    expect(page.fire("keydown", { code: "Space" }).defaultPrevented).toBe(true);
    expect(hands().at(-1)?.keys).toContain("Space");
    expect(page.fire("keydown", { code: "Space", repeat: true }).defaultPrevented).toBe(false);
  });

  it("are refused while another page has the sticks", () => {
    const { hands, refused } = make({ holdsSticks: false });
    page.fire("keydown", { code: "KeyW" });
    expect(refused).toHaveBeenCalledOnce();
    expect(hands()).toEqual([]);
  });
});

it("leaving stops what would go on by itself", () => {
  const { driving, hands } = make();
  driving.tap("KeyW");
  page.fire("blur");
  expect(hands().some(({ keys }) => keys.includes("Space"))).toBe(true);
  expect(hands().at(-1)?.keys).toEqual([]);
});

it("a gamepad gives its sticks and four buttons, and is lent while the panel is in sight", () => {
  const { driving, gamepads, hands } = make();
  expect(gamepads.lent).toBe(true);
  page.pads[0] = gamepad([0, -1, 0, 1], [4, 9, 2]);
  driving.update();
  expect(hands().at(-1)).toMatchObject({ keys: ["PadLB", "PadStart"], pad: [0, 1, 0, -1] });
});

it("the wheel of a mouse is sent once, and no more than ten notches of it", () => {
  const { driving, hands } = make();
  driving.scroll(25);
  driving.update();
  driving.update();
  expect(hands().map(({ notches }) => notches)).toEqual([10, 0]);
});

it("a cursor exists where there is something to point with", () => {
  const { driving, hands } = make();
  driving.update();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  driving.cursor = [0.5, -0.25];
  driving.update();
  expect(hands().map(({ cursor }) => cursor)).toEqual([null, [0.5, -0.25]]);
});
