import { describe, expect, it } from "vitest";

import { Frame } from "../src/frame";
import { History } from "../src/history";
import { CLOCK } from "../src/messages";
import { clock, frame } from "./helpers";

function at(time: number, ...signals: number[]) {
  return frame({ clock: clock({ time }), signals });
}

function lists(columns: Float64Array[]): number[][] {
  return columns.map((column) => [...column]);
}

describe("the history of signals", () => {
  it("gives columns in the order that is asked for, from a time on", () => {
    const history = new History();
    for (const time of [0, 1, 2, 3]) history.add(at(time, 10 + time, 20 + time));
    expect(lists(history.columns([1, 0], 2))).toEqual([
      [2, 3],
      [22, 23],
      [12, 13],
    ]);
    expect(history.last).toBe(3);
    expect(lists(history.columns([0], 9))).toEqual([[], []]);
  });

  it("is empty at first", () => {
    expect(new History().last).toBe(0);
    expect(lists(new History().columns([0], 0))).toEqual([[], []]);
  });

  it("keeps one row for a world that stands still", () => {
    const history = new History();
    history.add(at(1, 5));
    history.add(at(1, 6));
    expect(lists(history.columns([0], 0))).toEqual([[1], [5]]);
  });

  it("starts over when time goes back", () => {
    const history = new History();
    for (const time of [5, 6, 2, 3]) history.add(at(time, time));
    expect(lists(history.columns([0], 0))).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });

  it("starts over for another number of signals", () => {
    const history = new History();
    history.add(at(1, 1));
    history.add(at(2, 2, 3));
    expect(lists(history.columns([0, 1], 0))).toEqual([[2], [2], [3]]);
  });

  it("forgets the oldest rows when it is full, and none besides", () => {
    const history = new History();
    for (let k = 0; k < 5000; k++) history.add(at(k / 100, k));
    const [times, values] = history.columns([0], 0);
    expect(times).toHaveLength(4096);
    expect([values![0], values![4095]]).toEqual([5000 - 4096, 4999]);
    expect(values!.every((value, k) => k === 0 || value === values![k - 1]! + 1)).toBe(true);
    expect(history.last).toBe(49.99);
  });

  it("starts over after it was full", () => {
    const history = new History();
    for (let k = 0; k < 4500; k++) history.add(at(k, k));
    history.add(at(0.5, -1));
    history.add(at(1.5, -2));
    expect(lists(history.columns([0], 0))).toEqual([
      [0.5, 1.5],
      [-1, -2],
    ]);
  });

  it("keeps fewer rows of very many signals", () => {
    const history = new History();
    const [wide, count] = [20_000, 300]; // six million numbers in all
    const section = { name: "signals", offset: CLOCK.length, count: wide, width: 1 } as const;
    const head = { name: "clock", offset: 0, count: CLOCK.length, width: 1 } as const;
    for (let k = 0; k < count + 10; k++) {
      const numbers = new Float64Array(CLOCK.length + wide);
      numbers[CLOCK.indexOf("time")] = k;
      history.add(new Frame(numbers, [head, section]));
    }
    expect(history.columns([0], 0)[0]).toHaveLength(count);
  });
});
