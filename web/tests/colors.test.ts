// Colours as an eye without green receptors sees them.

import { expect, it } from "vitest";

import { COLORS } from "../src/colors";
import { vehicleColor } from "../src/world/trails";

/** Linear RGB as it is seen with deuteranopia: Machado, Oliveira and Fernandes, 2009. */
const SEEN = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
/** CIE76: 2.3 is what can just be told apart. */
const APART = 15;

function lab(color: string): number[] {
  const linear = [1, 3, 5].map((k) => {
    const level = parseInt(color.slice(k, k + 2), 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = SEEN.map((row) => row.reduce((sum, weight, k) => sum + weight * linear[k]!, 0)) as [number, number, number];
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const gap = (one: string, other: string) => Math.hypot(...lab(one).map((value, k) => value - lab(other)[k]!));

it.each([
  ["curves", [...COLORS]],
  ["vehicles", COLORS.map((_, k) => vehicleColor(k))],
])("%s are told apart without green", (_, colors) => {
  const pairs = colors.flatMap((one, k) => colors.slice(0, k).map((other) => gap(one, other)));
  expect(Math.min(...pairs)).toBeGreaterThan(APART);
});

it("finds colours that are alike to such eyes", () => {
  expect(gap("#d97706", "#ca8a04")).toBeLessThan(APART);
});
