import { unzipSync } from "three/examples/jsm/libs/fflate.module.js";
import { describe, expect, it } from "vitest";

import { film, moments } from "../src/film";
import { ticks } from "../src/panels/plot";
import { aboutRows, pieces, wrapped } from "../src/panels/vector";

describe("a film", () => {
  it("of 10 s at 60 a second has exactly 600 pictures, each at its moment", () => {
    const times = moments({ since: 2, until: 12, rate: 60 });
    expect(times).toHaveLength(600);
    expect(times[0]).toBe(2);
    expect(times[599]).toBeCloseTo(12 - 1 / 60, 12);
    expect(moments({ since: 0, until: 0.1, rate: 24 })).toHaveLength(2);
  });

  it("is a file with every picture in its order", async () => {
    const asked: number[] = [];
    const made = await film({ since: 0, until: 1, rate: 25 }, (time) => (asked.push(time), Promise.resolve(new Blob([`${time}`]))), () => true);
    const files = unzipSync(new Uint8Array(await made!.arrayBuffer()));
    const names = Object.keys(files).filter((name) => name.endsWith(".png"));
    expect(names).toHaveLength(25);
    expect(names.map((name) => Number(new TextDecoder().decode(files[name])))).toEqual(asked);
    expect(new TextDecoder().decode(files["README.txt"])).toContain("-framerate 25");
  });

  it("may be stopped", async () => {
    const made = await film({ since: 0, until: 1, rate: 25 }, () => Promise.resolve(new Blob(["x"])), (done) => done < 3);
    expect(made).toBeNull();
  });
});

describe("a vector figure", () => {
  it("has gaps where there is no value", () => {
    const place = (t: number, v: number): [number, number] => [t, v];
    expect(pieces([0, 1, 2, 3, 4], [5, 6, NaN, 7, 8], place)).toEqual(["0,5 1,6", "3,7 4,8"]);
  });

  it("says what its curves are made of, in lines that fit", () => {
    const note = aboutRows([0, 1, 2, 3], false, "Of the recording's rows, one in 3 is shown.");
    expect(note).toBe("Drawn from 4 points: the least and the greatest value of each 1.5 s. Of the recording's rows, one in 3 is shown.");
    expect(aboutRows([0, 1], true, "")).toBe("");
    expect(wrapped("a bb ccc dddd", 4)).toEqual(["a bb", "ccc", "dddd"]);
    expect(wrapped("", 4)).toEqual([]);
  });

  it.each([
    [[0, 10], ["0 s", "2 s", "4 s", "6 s", "8 s", "10 s"]],
    [[1.7999994, 1.8000006], ["1.7999995 s", "1.8 s", "1.8000005 s"]],
    [[-1, 1], ["-1 s", "-0.5 s", "0 s", "0.5 s", "1 s"]],
  ] as [[number, number], string[]][])("has round numbers on its axes", (range, words) => {
    expect(ticks(range, " s").map(({ text }) => text)).toEqual(words);
  });
});
