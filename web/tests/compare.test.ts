// Figures that runs are compared by, against closed forms.

import { describe, expect, it } from "vitest";

import { apart, respond } from "../src/response";

const times = Array.from({ length: 10001 }, (_, k) => k / 1000);

describe("respond", () => {
  it("finds rise time and overshoot of a second-order step", () => {
    const [zeta, omega] = [0.5, 2];
    const damped = omega * Math.sqrt(1 - zeta ** 2);
    const step = times.map((t) => 1 - Math.exp(-zeta * omega * t) * (Math.cos(damped * t) + ((zeta * omega) / damped) * Math.sin(damped * t)));
    const found = respond(times, step.map((one) => 3 - 2 * one)); // downwards, from 3 to 1
    expect(found.overshoot).toBeCloseTo(Math.exp((-Math.PI * zeta) / Math.sqrt(1 - zeta ** 2)), 3);
    expect(found.last).toBeCloseTo(1, 3);
    const first = respond(times, times.map((t) => 1 - Math.exp(-2 * t)));
    expect(first.rise).toBeCloseTo(Math.log(9) / 2, 3);
    expect(first.overshoot).toBeLessThan(1e-3);
  });

  it("says no rise time of what ends where it began, and RMS of a sine", () => {
    const found = respond(times, times.map((t) => 4 * Math.sin(2 * Math.PI * t)));
    expect([found.rise, found.overshoot]).toEqual([NaN, NaN]);
    expect(found.rms).toBeCloseTo(4 / Math.SQRT2, 3);
    expect(respond([], []).rms).toBeNaN();
    expect(respond([0, 1, 2], [NaN, 2, 2]).rms).toBeCloseTo(2);
  });

  it("weighs by time, not by rows", () => {
    expect(respond([0, 1, 1, 1.001, 2], [0, 0, 3, 3, 3]).rms).toBeCloseTo(3 / Math.SQRT2, 3);
  });
});

describe("apart", () => {
  it("is the RMS of the difference over the common time, whatever the rows", () => {
    const coarse = [0, 0.5, 2, 7];
    expect(apart(times, times.map((t) => t + 2), coarse, coarse)).toBeCloseTo(2, 6);
    expect(apart([0, 1], [0, 0], [5, 6], [0, 0])).toBeNaN();
  });
});
