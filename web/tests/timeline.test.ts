import { describe, expect, it, vi } from "vitest";

import { lastBefore } from "../src/flown";
import type { Link } from "../src/link";
import { curvesIn, Timeline } from "../src/timeline";

const answer = (...numbers: number[]) => new Float64Array(numbers).buffer;

describe("curves of the server", () => {
  it("are times, then each signal", () => {
    const found = curvesIn(answer(2, 1, 0.5, 0.6, 10, 11, 20, 21), 2)!;
    expect(found.whole).toBe(true);
    expect(found.columns.map((column) => [...column])).toEqual([
      [0.5, 0.6],
      [10, 11],
      [20, 21],
    ]);
  });

  it("may be empty, and say when they were thinned", () => {
    expect(curvesIn(answer(0, 0), 3)).toEqual({ columns: Array(4).fill(new Float64Array(0)), whole: false });
  });

  it.each([[answer(2, 1, 0.5)], [answer(1)], [new ArrayBuffer(17)]])("that do not fit are not drawn", (buffer) => {
    expect(curvesIn(buffer, 1)).toBeNull();
  });

  it("are asked for by range; no answer is no curve", async () => {
    const get = vi.fn().mockResolvedValue({ ok: true, arrayBuffer: () => Promise.resolve(answer(1, 1, 3, 4)) });
    const timeline = new Timeline({ get } as unknown as Link);
    expect((await timeline.fetch([7], 1, 2, 100))!.columns[1]![0]).toBe(4);
    expect(get).toHaveBeenCalledWith("curves", { signals: "7", since: 1, until: 2, points: 100 }, []);
    expect(await timeline.fetch([], 1, 2, 100)).toBeNull();
    get.mockRejectedValueOnce(new Error("gone"));
    expect(await timeline.fetch([7], 1, 2, 100)).toBeNull();
  });
});

it.each([
  [0, 0],
  [1, 0],
  [2.5, 1],
  [9, 2],
])("the value shown at %d s is that of row %d", (now, row) => {
  expect(lastBefore([1, 2, 3], now)).toBe(row);
});
