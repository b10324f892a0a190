import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Gamepads } from "../src/input/gamepad";
import { type Deflection, Sticks } from "../src/input/sticks";
import type { FromPage } from "../src/messages";
import { browser, clock, fakeLink, frame, gamepad, hello, quiet, vehicle } from "./helpers";

let page: ReturnType<typeof browser>;
beforeEach(() => (page = browser()));
afterEach(quiet);

function make(more: Parameters<typeof fakeLink>[0] = {}) {
  const { link, said } = fakeLink(more);
  const refused = vi.fn();
  return { link, said, refused, sticks: new Sticks(link, new Gamepads(), refused) };
}

function channels(message: FromPage | undefined): number[] {
  if (message?.kind !== "sticks") throw new Error(`not the sticks: ${JSON.stringify(message)}`);
  return message.channels;
}

function hold(at: Partial<Deflection>) {
  return { read: () => ({ roll: 0, pitch: 0, yaw: 0, throttle: 0, ...at }), letGo: () => undefined };
}

describe("what is sent", () => {
  it("lies on the channels of the vehicle, twenty of them", () => {
    const { said } = make();
    for (const code of ["ArrowRight", "ArrowUp", "KeyA", "KeyW"]) page.fire("keydown", { code });
    expect(channels(said.at(-1))).toEqual([1, -1, 1, -1, ...new Array<number>(16).fill(0)]);
  });

  it("leaves out sticks that the vehicle does not have", () => {
    const { said } = make({ vehicleInfo: vehicle({ sticks: [-1, 5, -1, -1] }) });
    for (const code of ["ArrowRight", "ArrowDown"]) page.fire("keydown", { code });
    expect(channels(said.at(-1)).flatMap((value, k) => (value ? [[k, value]] : []))).toEqual([[5, 1]]);
  });

  it("is the sum of all hands, and no more than full", () => {
    const { sticks, said } = make();
    sticks.pads.push(hold({ roll: 0.5, yaw: 0.25 }));
    page.fire("keydown", { code: "ArrowRight" });
    expect(channels(said.at(-1))[0]).toBe(1);
    expect(channels(said.at(-1))[3]).toBe(0.25);
  });

  it("counts a throttle's way from where it rests: a second hand at rest adds nothing", () => {
    const { sticks, said } = make({ mode: "raw" });
    sticks.pads.push(hold({ throttle: -0.6 }), hold({ throttle: -1 }));
    sticks.update();
    expect(sticks.rest).toBe(-1);
    expect(channels(said.at(-1))[2]).toBeCloseTo(-0.6, 12);
  });

  it("comes again ten times before the server lets the sticks go, and not more often", () => {
    const { said } = make();
    page.fire("keydown", { code: "ArrowRight" });
    said.length = 0;
    vi.advanceTimersByTime(600);
    expect(said).toHaveLength(10);
  });

  it("ends with neutral, once", () => {
    const { said } = make();
    page.fire("keydown", { code: "ArrowRight" });
    page.fire("keyup", { code: "ArrowRight" });
    expect(channels(said.at(-1)).every((value) => value === 0)).toBe(true);
    const count = said.length;
    vi.advanceTimersByTime(1000);
    expect(said).toHaveLength(count);
  });

  it("goes to neutral when the window loses the focus", () => {
    const { said } = make();
    page.fire("keydown", { code: "KeyW" });
    page.fire("blur");
    expect(channels(said.at(-1))).toEqual(new Array<number>(20).fill(0));
  });

  it("is nothing while nobody touches anything", () => {
    const { said } = make();
    page.pads[0] = gamepad([0.1, 0, 0, 0]);
    vi.advanceTimersByTime(1000);
    expect(said).toEqual([]);
  });

  it("holds channels that are pressed on the screen", () => {
    const { sticks, said } = make();
    sticks.held.set(9, -1);
    sticks.update();
    expect(channels(said.at(-1))[9]).toBe(-1);
  });
});

describe("taking over", () => {
  it.each([
    [["mission", "assisted", "raw"], "assisted"],
    [["mission", "raw"], "raw"],
  ])("from the mission of a vehicle with %j goes to %s", (modes, mode) => {
    const { said } = make({ mode: "mission", vehicleInfo: vehicle({ modes }) });
    page.fire("keydown", { code: "ArrowUp" });
    expect(said[0]).toEqual({ kind: "mode", vehicle: 0, mode });
  });

  it("leaves the mode of someone who flies already", () => {
    const { said } = make({ mode: "raw" });
    page.fire("keydown", { code: "ArrowUp" });
    expect(said.map(({ kind }) => kind)).toEqual(["sticks"]);
  });

  it("is refused while another page has the sticks", () => {
    const { said, refused } = make({ holdsSticks: false });
    page.fire("keydown", { code: "ArrowUp" });
    vi.advanceTimersByTime(500);
    expect(refused).toHaveBeenCalledOnce();
    expect(said).toEqual([]);
  });

  it("does not happen in a recording", () => {
    const { refused } = make({ holdsSticks: false, hello: hello({ replay: [0, 9] }) });
    page.fire("keydown", { code: "ArrowUp" });
    expect(refused).not.toHaveBeenCalled();
  });
});

it("the emergency stop lets go first", () => {
  const { sticks, said } = make();
  page.fire("keydown", { code: "KeyW" });
  sticks.stop();
  expect(said.at(-1)).toEqual({ kind: "emergency", on: true });
  expect(channels(said.at(-2))).toEqual(new Array<number>(20).fill(0));
});

it("shows where the sticks of this vehicle are in the world; a channel without a number is 0", () => {
  const rows = new Array<number>(40).fill(0.9);
  rows[20 + 1] = -0.5;
  rows[20 + 2] = NaN;
  const { sticks } = make({ vehicle: 1, frame: frame({ clock: clock(), sticks: rows }) });
  expect([0, 1, 2, 3].map((stick) => sticks.position(stick))).toEqual([0.9, -0.5, 0.9, 0]);
});
