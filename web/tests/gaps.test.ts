import { describe, expect, it } from "vitest";

import { gapped, lonely } from "../src/panels/gaps";
import { figureName } from "../src/save";

describe("gaps in curves", () => {
  it.each([
    [[5], [0]],
    [[NaN, 5, NaN], [1]],
    [[5, NaN, 6, 7, NaN, 8], [0, 5]],
    [[1, 2, 3], []],
    [[1, undefined, 2, undefined], []], // rows of another curve are no gaps
    [[1, undefined, null, 2, undefined], [0, 3]],
    [[], []],
    [[NaN], []],
  ])("of %j leave the values %j alone", (values, alone) => {
    expect(lonely(values)).toEqual(alone);
  });

  it("are null for uPlot, which draws a line over NaN", () => {
    expect([...gapped([1, NaN, 2, Infinity])]).toEqual([1, null, 2, null]);
    const whole = Float64Array.of(1, 2);
    expect(gapped(whole)).toEqual(whole);
  });
});

describe("names of files", () => {
  it("are those of the flight and of the signals", () => {
    expect(figureName("hover", ["position.x", "position.y"])).toBe("hover_position.x_position.y");
    expect(figureName("hover", ["spectrum", "norm(a.velocity) / 2"])).toBe("hover_spectrum_norm_a.velocity_2");
    expect(figureName("hover-2.mcap", ["speed"])).toBe("hover-2_speed");
    expect(figureName("", [])).toBe("flight");
  });

  it("count the signals that are too many", () => {
    const many = Array.from({ length: 20 }, (_, k) => `quadcopter.motor${k}.thrust`);
    const name = figureName("hover", many);
    expect(name.length).toBeLessThan(140);
    expect(name).toMatch(/^hover_quadcopter\.motor0\.thrust_.*_and_\d+_more$/);
  });
});
