// Spectra, responses to test inputs, the map, set-points: against closed forms.

import { describe, expect, it, vi } from "vitest";

import type { Link } from "../src/link";
import { answering, figures } from "../src/panels/excite";
import { against, spectra } from "../src/panels/figure_plot";
import { around, roundStep, toMetres, toPixels } from "../src/panels/map";
import { setpointGroups } from "../src/panels/plots";
import { respond } from "../src/response";
import { spectrum, transform } from "../src/spectrum";
import { Timeline } from "../src/timeline";

const times = Array.from({ length: 1000 }, (_, k) => k / 100);

describe("a spectrum", () => {
  it("has the amplitude of a sine at its frequency, whatever its mean", () => {
    const { frequencies, amplitudes } = spectrum(times, times.map((t) => 7 + 3 * Math.sin(2 * Math.PI * 5 * t)))!;
    const peak = amplitudes.indexOf(Math.max(...amplitudes));
    expect(frequencies[peak]).toBeCloseTo(5, 1);
    expect(amplitudes[peak]).toBeCloseTo(3, 1);
    expect(amplitudes[0]).toBeLessThan(0.05);
    expect(frequencies.at(-1)).toBeCloseTo(50, 0);
  });

  it("is that of the sum by definition", () => {
    const [re, im] = [Float64Array.of(1, 2, 0, -1, 3, 0.5, 0, 0), new Float64Array(8)];
    const given = [...re];
    transform(re, im);
    for (let k = 0; k < 8; k++) {
      const sum = (f: (x: number) => number) => given.reduce((total, one, n) => total + one * f((2 * Math.PI * k * n) / 8), 0);
      expect(re[k]).toBeCloseTo(sum(Math.cos), 12);
      expect(im[k]).toBeCloseTo(-sum(Math.sin), 12);
    }
  });

  it("is not made of a few rows, of gaps, or of what is no number", () => {
    expect(spectrum([0, 1], [0, 1])).toBeNull();
    expect(spectrum(times.map((t) => (t > 5 ? t + 1 : t)), times)).toBeNull();
    expect(spectrum(times, times.map((_, k) => (k === 3 ? NaN : 0)))).toBeNull();
    const drawn = spectra(times, [{ name: "a", unit: "m", values: times.map(() => NaN) }], false);
    expect(drawn.curves).toEqual([]);
    expect(drawn.note).toContain("No spectrum of a");
    expect(drawn.note).toContain("folded");
  });
});

it("an XY plot has the first along x, and says when rows are missing", () => {
  const [a, b] = [{ name: "a", unit: "m", values: [3, 1, 2] }, { name: "b", unit: "m", values: [4, 5, 6] }];
  expect(against([a, b], true)).toEqual({ x: [3, 1, 2], curves: [b], note: "Every row that was kept." });
  expect(against([a, b], false).note).toContain("3 of them");
});

describe("a response", () => {
  it("settles when it stays within 2 % of its way", () => {
    const found = respond(times, times.map((t) => 5 - 4 * Math.exp(-2 * t)));
    expect(found.settling).toBeCloseTo(Math.log(50) / 2, 1);
    expect(respond(times, times.map((t) => t)).settling).toBeNaN();
    expect(respond(times, times.map(() => 3)).settling).toBe(0);
  });

  it("to a push is how far it is thrown and when it is back", () => {
    const found = respond(times, times.map((t) => 1 - t * Math.exp(1 - t)));
    expect(found.peak).toBeCloseTo(-1, 4);
    expect(found.settling).toBeGreaterThan(5);
    const names = figures("push", times, times.map((t) => 1 - t * Math.exp(1 - t)), "m").map(([name]) => name);
    expect(names.some((name) => name.startsWith("rise"))).toBe(false);
    expect(figures("step", times, times, "1")[0]![0]).toContain("rise time");
  });

  it("is looked for in what the input moves first", () => {
    const names = ["v.speed", "v.attitude.roll", "v.velocity.z"];
    expect(answering({ shape: "step", stick: "roll" }, "v", names)).toBe("v.attitude.roll");
    const led = [...names, "v.velocity_b.y", "v.controller.assisted.velocity.x"];
    expect(answering({ shape: "step", stick: "roll" }, "v", led, "assisted")).toBe("v.velocity_b.y");
    expect(answering({ shape: "step", stick: "roll" }, "v", led, "raw")).toBe("v.attitude.roll");
    expect(answering({ shape: "chirp", stick: "throttle" }, "v", names)).toBe("v.velocity.z");
    expect(answering({ shape: "gust", stick: "roll" }, "v", names)).toBe("v.speed");
    expect(answering({ shape: "twist", stick: "roll" }, "v", [...names, "v.rate_b.z"])).toBe("v.rate_b.z");
    expect(answering({ shape: "step", stick: "yaw" }, "v", names)).toBe("v.speed");
    expect(answering({ shape: "step", stick: "yaw" }, "v", [])).toBe("");
  });
});

describe("the map", () => {
  it("holds all points, with north up, and a pixel and its place belong together", () => {
    const extent = around([[0, 0], [30, 10], [-4, 2]]);
    for (const [x, y] of [[0, 0], [30, 10], [-4, 2]] as const) {
      const [right, down] = toPixels(extent, x, y);
      expect(Math.min(right, down)).toBeGreaterThan(0);
      expect(Math.max(right, down)).toBeLessThan(320);
      const back = toMetres(extent, right, down);
      expect(back[0]).toBeCloseTo(x, 9);
      expect(back[1]).toBeCloseTo(y, 9);
    }
    expect(toPixels(extent, 0, 5)[1]).toBeLessThan(toPixels(extent, 0, 0)[1]);
    expect(around([])).toEqual({ x: 0, y: 0, span: 10 });
    expect([0.3, 1, 7, 60].map(roundStep)).toEqual([0.5, 1, 10, 100]);
  });
});

it("set-points stand beside what is to follow them, by groups", () => {
  const one = (name: string, follows = "") => ({ name: `v.${name}`, unit: "m", setpoint_of: follows && `v.${follows}` });
  const groups = setpointGroups([
    one("position.x"),
    one("controller.position.x", "position.x"),
    one("controller.position.z", "position.z"),
    one("controller.height", "position.z"),
    one("controller.assisted.yaw", "attitude.yaw"),
  ]);
  expect([...groups]).toEqual([
    ["position", ["v.controller.position.x", "v.position.x", "v.controller.position.z", "v.position.z"]],
    ["height", ["v.controller.height", "v.position.z"]],
    ["assisted yaw", ["v.controller.assisted.yaw", "v.attitude.yaw"]],
  ]);
});

it("curves come in the order asked for, signals and expressions mixed", async () => {
  const numbers = Float64Array.of(1, 1, 9, 10, 20, 30);
  const get = vi.fn().mockResolvedValue({ ok: true, arrayBuffer: () => Promise.resolve(numbers.buffer) });
  const timeline = new Timeline({ get } as unknown as Link);
  const found = await timeline.fetch(["x + y", 4, 7], 0, 1, 0, "rows");
  expect(get).toHaveBeenCalledWith("curves", { signals: "4,7", since: 0, until: 1, points: 0, thin: "rows" }, ["x + y"]);
  expect(found!.columns.map(([first]) => first)).toEqual([9, 30, 10, 20]);
});

it("an expression that nobody answers for says so", async () => {
  const deaf = new Timeline({ get: vi.fn().mockResolvedValue({ ok: false }), isFile: true } as unknown as Link);
  expect((await deaf.derive("x")).error).toContain("shared file");
});
