// What panels compute before they draw.

import { describe, expect, it } from "vitest";

import { digits, fixed } from "../src/dom";
import { angles, compass } from "../src/panels/attitude";
import type { Condition } from "../src/messages";
import { figure } from "../src/panels/instruments";
import { troubles } from "../src/panels/others";
import { sentence } from "../src/panels/notices";
import { room, short, table } from "../src/panels/plot";
import { usualPlots } from "../src/panels/plots";
import { Scale, STEPS } from "../src/panels/scale";
import { beyond } from "../src/panels/slider";
import { nearest } from "../src/panels/top_bar";
import { fileName } from "../src/save";

const signals = (...names: string[]) => names.map((name) => ({ name, unit: "m" }));

describe("the attitude", () => {
  const turned = (angle: number, axis: "x" | "y" | "z") => {
    const [w, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
    return angles(w, axis === "x" ? s : 0, axis === "y" ? s : 0, axis === "z" ? s : 0);
  };

  it("is positive for the right wing down, the nose up, and a turn to the left", () => {
    expect(turned(0.3, "x").roll).toBeCloseTo(0.3, 12);
    expect(turned(0.3, "y").pitch).toBeCloseTo(-0.3, 12); // about an axis to the left the nose goes down
    expect(turned(0.3, "z").yaw).toBeCloseTo(0.3, 12);
  });

  it("is that of yaw, then pitch, then roll", () => {
    const [roll, pitch, yaw] = [0.4, -0.7, 2.5];
    const [cr, cp, cy] = [Math.cos(roll / 2), Math.cos(-pitch / 2), Math.cos(yaw / 2)];
    const [sr, sp, sy] = [Math.sin(roll / 2), Math.sin(-pitch / 2), Math.sin(yaw / 2)];
    const found = angles(
      cr * cp * cy + sr * sp * sy,
      sr * cp * cy - cr * sp * sy,
      cr * sp * cy + sr * cp * sy,
      cr * cp * sy - sr * sp * cy,
    );
    expect(found.roll).toBeCloseTo(roll, 12);
    expect(found.pitch).toBeCloseTo(pitch, 12);
    expect(found.yaw).toBeCloseTo(yaw, 12);
  });

  it("is a number straight up, where rounding goes beyond 1", () => {
    const s = Math.SQRT1_2 * (1 + 1e-15);
    expect(angles(s, 0, -s, 0).pitch).toBeCloseTo(Math.PI / 2, 6);
  });
});

it.each([
  [0, "090°"],
  [Math.PI / 2, "000°"],
  [Math.PI, "270°"],
  [-Math.PI / 2, "180°"],
  [Math.PI / 2 + 0.001, "000°"],
  [Math.PI / 2 - 0.1, "006°"],
])("a compass shows a yaw of %d as %s", (yaw, shown) => {
  expect(compass(yaw)).toBe(shown);
});

describe("numbers as people read them", () => {
  it.each([
    [0, "0"],
    [-1e-12, "0"],
    [3.14159265, "3.142"],
    [-0.00012346, "-0.0001235"],
    [0.00001, "1.00e-5"],
    [123456, "123500"],
    [2.5e7, "2.50e+7"],
    [NaN, "–"],
    [Infinity, "–"],
  ])("%d is %s", (value, shown) => {
    expect(digits(value)).toBe(shown);
  });

  it("zero has no sign", () => {
    expect([fixed(-0.0001), fixed(-0.001), fixed(1)]).toEqual(["0.000", "-0.001", "1.000"]);
    expect([figure(-0.04, 1), figure(-0.06, 1), figure(-0.4, 0), figure(NaN, 1)]).toEqual(["0.0", "-0.1", "0", "–"]);
  });
});

describe("a slider", () => {
  it("is straight over a narrow range, and a place and its value belong together", () => {
    const scale = new Scale({ low: -2, high: 6, default: 0 });
    expect(scale.logarithmic).toBe(false);
    expect([scale.place(-2), scale.place(0), scale.place(6)]).toEqual([0, 250, STEPS]);
    for (let place = 0; place <= STEPS; place += 25) expect(scale.place(scale.value(place))).toBe(place);
  });

  it("is logarithmic over a wide one: the middle is the geometric mean", () => {
    const scale = new Scale({ low: 0.001, high: 1000, default: 1 });
    expect(scale.logarithmic).toBe(true);
    expect(scale.value(STEPS / 2)).toBe(1);
    expect(scale.place(0.001)).toBe(0);
    for (let place = 0; place <= STEPS; place += 25) expect(scale.place(scale.value(place))).toBe(place);
  });

  it("cannot be logarithmic from 0 on", () => {
    expect(new Scale({ low: 0, high: 1e5, default: 1 }).logarithmic).toBe(false);
  });

  it("has ends where none are written", () => {
    const endless = new Scale({ low: -Infinity, high: Infinity, default: 7 });
    expect([endless.low, endless.high]).toEqual([-35, 35]);
    const small = new Scale({ low: 0, high: 1e300, default: 0.01 });
    expect([small.low, small.high]).toEqual([0, 1]);
  });

  it("stays at its end for a value beyond it, and stands for a range of one value", () => {
    const scale = new Scale({ low: 0, high: 10, default: 1 });
    expect([scale.place(-5), scale.place(99)]).toEqual([0, STEPS]);
    expect(new Scale({ low: 3, high: 3, default: 3 }).place(3)).toBe(0);
  });
});

describe("a plot", () => {
  it("leaves the vehicle out where there is one only", () => {
    expect(short("quad.speed", signals("quad.speed", "quad.position.z"))).toBe("speed");
    expect(short("quad.speed", signals("quad.speed", "plane.speed"))).toBe("quad.speed");
    expect(short("energy", signals("energy", "quad.speed"))).toBe("energy");
  });

  it("has room above and below, also for a constant", () => {
    const chart = null as never;
    expect(room(chart, null, null)).toEqual([-1, 1]);
    const [low, high] = room(chart, 2, 4);
    expect([low, high]).toEqual([3 - 1.12, 3 + 1.12]);
    expect(room(chart, 5, 5 + 1e-12)[1] - room(chart, 5, 5 + 1e-12)[0]).toBeCloseTo(1.12, 9);
  });

  it("is saved as a table with units", () => {
    const text = table(signals("quad.position.z"), [Float64Array.of(0, 0.5), Float64Array.of(1.25, -3)]);
    expect(text).toBe("time [s],quad.position.z [m]\n0,1.25\n0.5,-3\n");
  });

  it("shows place, speed and attitude at first, as far as they exist", () => {
    const known = signals("quad.position.x", "quad.position.z", "quad.attitude.yaw", "plane.speed");
    expect(usualPlots("quad", known)).toEqual([["quad.position.x", "quad.position.z"], ["quad.attitude.yaw"]]);
    expect(usualPlots("quad", [])).toEqual([]);
  });
});

it.each([
  [1, 1],
  [0.34, 0.5],
  [0.29, 0.2],
  [3.3, 5],
  [400, 10],
  [0.001, 0.1],
])("a speed of %d is shown as × %d", (speed, shown) => {
  expect(nearest(speed)).toBe(shown);
});

describe("a number beyond its range", () => {
  const parameter = { name: "air.wind_speed", value: 5, default: 5, low: 0, high: 25, unit: "m/s", about: "" };

  it("is answered with the end of the range, its unit and which end it is", () => {
    expect(beyond(40, parameter)).toBe("40 is beyond its range: 25 m/s is the most.");
    expect(beyond(-1, { ...parameter, unit: "1" })).toBe("-1 is beyond its range: 0 is the least.");
    expect(beyond(25, parameter)).toBe("");
  });
});

it.each([
  ["hover", "hover"],
  ["名前のシナリオ_überfliegt", "名前のシナリオ_überfliegt"],
  ["flight of 3.mcap", "flight_of_3.mcap"],
  ["../../etc/passwd", "etc_passwd"],
  ["<img src=x>", "img_src_x"],
  ["", "flight"],
])("a file of %s is called %s", (words, name) => {
  expect(fileName(words)).toBe(name);
});

it.each([
  ["loading hover", "Loading hover"],
  ["half.mcap ends before its first row", "half.mcap ends before its first row"],
  ["mine.yaml:2:1: vehicles: expected at least 1 item(s), got 0", "mine.yaml:2:1: vehicles: expected at least 1 item(s), got 0"],
  ["stopped at tick 3", "Stopped at tick 3"],
  ["out/a-1.mcap is there", "out/a-1.mcap is there"],
])("%s begins as %s", (text, said) => {
  expect(sentence(text)).toBe(said);
});

describe("alarms of the vehicles that are not chosen", () => {
  const one = (name: Condition["name"], alarm = true): Condition => ({ name, text: `it is ${name}`, alarm });
  const names = ["a", "b", "c"];
  it("are named", () => {
    const now = [one("moving", false), one("turned over"), one("part failed")];
    expect(troubles(names, now, 0)).toEqual([
      { vehicle: 1, text: "b: it is turned over" },
      { vehicle: 2, text: "c: it is part failed" },
    ]);
    expect(troubles(names, now, 1).map(({ vehicle }) => vehicle)).toEqual([2]); // its own is told beside the mode
  });
  it("are not told where the motors of all are off, which the page says in large", () => {
    expect(troubles(names, [one("motors off"), one("motors off")], 0)).toEqual([]);
    expect(troubles(names, [one("moving", false), one("motors off")], 0)).toHaveLength(1);
  });
});
