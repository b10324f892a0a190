import { describe, expect, it } from "vitest";

import { MOVES } from "../src/input/keyboard";
import { padWords } from "../src/input/pads";
import { handMode, moves } from "../src/link";
import type { StickWords } from "../src/messages";
import { vehicle } from "./helpers";

const WORDS: StickWords = {
  roll: ["bank right", "bank left"],
  pitch: ["climb", "sink"],
  yaw: ["nose right", "nose left"],
  throttle: ["faster", "slower"],
};
const SIGNS: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

describe("what stands beside the sticks", () => {
  it("is what the key does that is written before it", () => {
    const written = padWords(WORDS, true).flat();
    for (const [code, [stick, sign]] of Object.entries(MOVES)) {
      const key = SIGNS[code] ?? code.replace("Key", "");
      expect(written).toContain(`${key} ${WORDS[stick][sign > 0 ? 0 : 1]}`);
    }
    expect(written).toHaveLength(Object.keys(MOVES).length);
  });

  it("has no letters of keys where there are none, and no key where a stick does nothing", () => {
    expect(padWords(WORDS, false)).toEqual([
      ["faster", "nose right", "slower", "nose left"],
      ["sink", "bank right", "climb", "bank left"],
    ]);
    expect(padWords({ ...WORDS, throttle: ["", ""] }, true)[0]).toEqual(["", "D nose right", "", "A nose left"]);
  });

  it("is nothing for what nobody flies, whose sticks are hidden", () => {
    const nothing: StickWords = { roll: ["", ""], pitch: ["", ""], yaw: ["", ""], throttle: ["", ""] };
    expect(moves(nothing)).toBe(false);
    expect(moves({ ...nothing, yaw: ["turn right", "turn left"] })).toBe(true);
  });

  it("is that of the mode in which a hand flies", () => {
    const of = (mode: string, open: string[]) =>
      handMode({ mode, vehicleInfo: vehicle(), mayFly: (one: string) => open.includes(one) });
    expect(of("mission", ["mission", "assisted", "raw"])).toBe("assisted");
    expect(of("mission", ["mission", "raw"])).toBe("raw");
    expect(of("mission", ["mission"])).toBe("mission");
    expect(of("raw", ["raw"])).toBe("raw");
  });
});
