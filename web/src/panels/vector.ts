// A plot as a vector figure: lines and words that papers and slides can scale.

import { digits, svg } from "../dom";
import { lonely, type Numbers } from "./gaps";

export interface Curve {
  name: string;
  unit: string;
  color: string;
}
export interface Tick {
  /** From 0 to 1 of the axis. */
  at: number;
  text: string;
}
export interface Figure {
  curves: Curve[];
  /** Times, then the values of each curve. */
  data: readonly Numbers[];
  x: [number, number];
  y: [number, number];
  xTicks: Tick[];
  yTicks: Tick[];
  /** What is to be known of the rows, below the curves. */
  note: string;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, LINE, SMALL] = [640, 320, 64, 36, 18, 13];
const INK = "#333333";

/** The points of a curve from left to right, in pieces where there is a gap. */
export function pieces(times: Numbers, values: Numbers, place: (t: number, v: number) => [number, number]): string[] {
  const found: string[][] = [[]];
  for (let k = 0; k < times.length; k++) {
    const [time, value] = [times[k], values[k]];
    if (typeof time !== "number" || typeof value !== "number" || !Number.isFinite(value)) found.push([]);
    else found.at(-1)!.push(place(time, value).map((one) => Number(one.toFixed(2))).join(","));
  }
  return found.filter((one) => one.length > 1).map((one) => one.join(" "));
}

/** Words in lines of at most so many characters; a longer word has a line of its own. */
export function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** What a saved curve of these times is made of: nothing is to be said of one that is whole. */
export function aboutRows(times: Numbers, whole: boolean, note: string): string {
  const [first, last] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  const stretch = digits((2 * (last - first)) / Math.max(1, times.length), 2);
  const thinned = `Drawn from ${times.length} points: the least and the greatest value of each ${stretch} s.`;
  return [whole ? "" : thinned, note].filter(Boolean).join(" ");
}

export function vectorFigure({ curves, data, x, y, xTicks, yTicks, note }: Figure): string {
  const below = wrapped(note, 105);
  const top = LINE * (curves.length + 0.5);
  const [w, bottom] = [WIDTH - LEFT - 12, top + HEIGHT];
  const height = bottom + BOTTOM + SMALL * below.length;
  const place = (t: number, v: number): [number, number] => [
    LEFT + (w * (t - x[0])) / (x[1] - x[0]),
    bottom - (HEIGHT * (v - y[0])) / (y[1] - y[0]),
  ];
  const words = (text: string, more: Record<string, string | number>) => svg("text", { fill: INK, ...more }, text);
  const line = (x1: number, y1: number, x2: number, y2: number) => svg("line", { x1, y1, x2, y2, stroke: "#d0d0d0" });
  const inside = svg("clipPath", { id: "inside" }, svg("rect", { x: LEFT, y: top, width: w, height: HEIGHT }));
  const figure = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, "font-family": "sans-serif", "font-size": 12 },
    inside,
    ...xTicks.flatMap(({ at, text }) => [
      line(LEFT + w * at, top, LEFT + w * at, bottom),
      words(text, { x: LEFT + w * at, y: bottom + LINE, "text-anchor": "middle" }),
    ]),
    ...yTicks.flatMap(({ at, text }) => [
      line(LEFT, bottom - HEIGHT * at, LEFT + w, bottom - HEIGHT * at),
      words(text, { x: LEFT - 6, y: bottom - HEIGHT * at + 4, "text-anchor": "end" }),
    ]),
    ...curves.flatMap(({ color }, s) =>
      pieces(data[0] ?? [], data[s + 1] ?? [], place).map((points) =>
        svg("polyline", { points, fill: "none", stroke: color, "stroke-width": 1.5, "clip-path": "url(#inside)" }),
      ),
    ),
    ...curves.flatMap(({ color }, s) =>
      lonely(data[s + 1] ?? []).map((k) => {
        const [cx, cy] = place(data[0]![k]!, data[s + 1]![k]!);
        return svg("circle", { cx, cy, r: 2.5, fill: color, "clip-path": "url(#inside)" });
      }),
    ),
    ...curves.map(({ name, unit, color }, s) => words(`${name} [${unit}]`, { x: LEFT, y: LINE * (s + 0.8), fill: color })),
    ...below.map((text, k) => words(text, { x: 12, y: bottom + BOTTOM + SMALL * k, "font-size": 10 })),
  );
  return new XMLSerializer().serializeToString(figure);
}
