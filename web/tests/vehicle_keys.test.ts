import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Gamepads } from "../src/input/gamepad";
import { Sticks } from "../src/input/sticks";
import { nameOf, TAP } from "../src/input/vehicle_keys";
import { browser, fakeLink, hello, quiet, vehicle } from "./helpers";

const OWN = [
  { name: "1", channel: 8 },
  { name: "g", channel: 4 },
  { name: "left", channel: 13 },
];
let page: ReturnType<typeof browser>;
const seen = vi.fn();
beforeEach(() => {
  page = browser();
  seen.mockClear();
});
afterEach(quiet);

function make(more: Parameters<typeof fakeLink>[0] = {}) {
  const { link, said } = fakeLink({ vehicleInfo: vehicle({ keys: OWN }), mode: "mission", ...more });
  const sticks = new Sticks(link, new Gamepads(), () => undefined);
  addEventListener("keydown", seen);
  const pressed = () => [...sticks.channels].flatMap((value, channel) => (value ? [channel] : []));
  return { said, pressed };
}

describe("a vehicle with keys of its own", () => {
  it.each([
    ["Digit1", "&", "1"],
    ["KeyG", "g", "g"],
    ["ArrowLeft", "ArrowLeft", "left"],
    ["Comma", ",", ","],
  ])("calls %s that types %s by the name %s", (code, key, name) => expect(nameOf(code, key)).toBe(name));

  it.each([
    ["Digit1", 8],
    ["KeyG", 4],
    ["ArrowLeft", 13],
  ])("presses with %s channel %i alone, and nobody else hears of it", (code, channel) => {
    const { said, pressed } = make();
    const event = page.fire("keydown", { code });
    expect(pressed()).toEqual([channel]);
    expect(event.defaultPrevented).toBe(true);
    expect(seen).not.toHaveBeenCalled();
    expect(said.every((message) => message.kind === "sticks")).toBe(true); // its own controller stays: no other mode
    vi.advanceTimersByTime(TAP);
    page.fire("keyup", { code });
    vi.advanceTimersByTime(0);
    expect(pressed()).toEqual([]);
  });

  it("keeps a tapped key down long enough, and once for two taps in a row", () => {
    const { pressed } = make();
    page.fire("keydown", { code: "KeyG" });
    page.fire("keyup", { code: "KeyG" });
    vi.advanceTimersByTime(TAP - 1);
    expect(pressed()).toEqual([4]);
    page.fire("keydown", { code: "KeyG" });
    vi.advanceTimersByTime(TAP);
    expect(pressed()).toEqual([4]);
    page.fire("keyup", { code: "KeyG" });
    vi.advanceTimersByTime(TAP);
    expect(pressed()).toEqual([]);
  });

  it("lets a tapped key go when the next one comes", () => {
    const { pressed } = make();
    page.fire("keydown", { code: "KeyG" });
    page.fire("keyup", { code: "KeyG" });
    page.fire("keydown", { code: "Digit1" });
    expect(pressed()).toEqual([8]);
    vi.advanceTimersByTime(2 * TAP);
    expect(pressed()).toEqual([8]);
  });

  it("leaves other keys alone", () => {
    make();
    page.fire("keydown", { code: "Digit4" });
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a recording", { hello: hello({ replay: {} as never }) }],
    ["a vehicle without", { vehicleInfo: vehicle() }],
  ])("is needed: %s leaves its keys to the others", (_, more) => {
    const { pressed } = make(more);
    page.fire("keydown", { code: "Digit1" });
    expect(seen).toHaveBeenCalledTimes(1);
    expect(pressed()).toEqual([]);
  });
});
