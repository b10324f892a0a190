import { describe, expect, it } from "vitest";

import { Flight } from "../src/flown";
import type { Flown } from "../src/messages";
import { changed, hello, scene } from "./helpers";

/** As the server packs it: times, then columns whose bytes stand apart. */
function rows(times: number[], columns: number[][]): Uint8Array {
  const values = new Uint8Array(Float32Array.from(columns.flat()).buffer);
  const planes = Uint8Array.from(values, (_, k) => values[4 * (k % (values.length / 4)) + Math.floor(k / (values.length / 4))]!);
  const packed = new Uint8Array(8 * times.length + Math.ceil(planes.length / 8) * 8);
  packed.set(new Uint8Array(Float64Array.from(times).buffer));
  packed.set(planes, 8 * times.length);
  return packed;
}

const LAYOUT = [
  { name: "bodies" as const, offset: 0, count: 1, width: 7 },
  { name: "signals" as const, offset: 7, count: 1, width: 1 },
];
const half = Math.SQRT1_2;
const POSES = [[0, 2], [0, 0], [1, 1], [1, -half], [0, 0], [0, 0], [0, -half]];

function flight(): Flight {
  const head: Flown = {
    hello: hello({ replay: [0, 1], layout: LAYOUT, length: 8, signals: [{ name: "a", unit: "m" }] }),
    scene: scene(),
    told: [0, 0.5].map((time) => ({ time, changed: changed({ missions: [`from ${time}`] }) })),
    tables: [{ sections: ["bodies"], rows: 2, width: 7, straight: true }],
    curve_rows: 3,
    curves_whole: true,
    note: "",
    view: "",
  };
  let text = new TextEncoder().encode(JSON.stringify(head));
  text = new Uint8Array([...text, ...new Array<number>((8 - ((text.length + 4) % 8)) % 8).fill(32)]);
  const parts = [new Uint8Array(Uint32Array.of(text.length).buffer), text, rows([0, 1], POSES), rows([0, 0.5, 1], [[5, 6, 7]])];
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  parts.reduce((at, one) => (all.set(one, at), at + one.length), 0);
  return Flight.from(all.buffer);
}

describe("a flight that is over", () => {
  it("lies on a straight line between two moments, and turns the shorter way", () => {
    const numbers = new Float64Array(8);
    flight().fill(numbers, 0.5);
    expect([...numbers.subarray(0, 3)]).toEqual([1, 0, 1]);
    // From no turn to a quarter turn, given with the other sign: an eighth.
    expect(numbers[3]).toBeCloseTo(Math.cos(Math.PI / 8), 6);
    expect(numbers[6]).toBeCloseTo(Math.sin(Math.PI / 8), 6);
    expect(numbers[7]).toBe(6);
  });

  it("stays at its ends", () => {
    const numbers = new Float64Array(8);
    for (const [time, x] of [[-1, 0], [9, 2]] as const) {
      flight().fill(numbers, time);
      expect(numbers[0]).toBe(x);
    }
  });

  it("has curves of what was asked for", () => {
    const { columns, whole } = flight().curves([0], 0.4, 0.6);
    expect(columns.map((column) => [...column])).toEqual([[0.5], [6]]);
    expect(whole).toBe(true);
    expect(flight().curves([0], 2, 3).columns[0]).toHaveLength(0);
  });

  it("knows what was told", () => {
    expect([0, 0.4, 0.6].map((time) => flight().changedAt(time)?.missions[0])).toEqual(["from 0", "from 0", "from 0.5"]);
  });
});
