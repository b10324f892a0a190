// What may be written where: places in YAML texts that are not finished, and the schema's words for them.

import { describe, expect, it } from "vitest";

import { type Schema, SchemaWords } from "../src/schema_words";
import { placeIn } from "../src/yaml_place";

const SCHEMA: Schema = {
  type: "object",
  properties: {
    gravity: { type: "number", minimum: 0, maximum: 1000, default: 9.81, description: "[m/s²] downward" },
    integrator: { enum: ["Euler", "RK4"] },
    air: { $ref: "#/$defs/Air" },
    vehicles: { type: "array", items: { $ref: "#/$defs/Entry" } },
    parts: { type: "object", additionalProperties: { oneOf: [{ $ref: "#/$defs/Rotor" }, { $ref: "#/$defs/Imu" }] } },
  },
  $defs: {
    Air: {
      type: "object",
      properties: {
        space: { type: "boolean", default: false },
        wind: { anyOf: [{ $ref: "#/$defs/Wind" }, { type: "null" }], default: null },
      },
    },
    Wind: { type: "object", properties: { speed: { type: "number", exclusiveMinimum: 0, description: "[m/s]" } } },
    Entry: {
      type: "object",
      required: ["model"],
      properties: {
        model: { type: "string", examples: ["quadcopter", "vtol"] },
        position: { type: "array", prefixItems: [{ type: "number" }] },
      },
    },
    Rotor: { type: "object", properties: { kind: { const: "rotor" }, spin: { type: "number" } } },
    Imu: { type: "object", properties: { kind: { const: "imu" }, noise: { type: "number" } } },
  },
};
const words = new SchemaWords(SCHEMA);

/** The words that are offered where | stands. */
function offered(text: string): string[] {
  const place = placeIn(text.replace("|", ""), text.indexOf("|"));
  return place ? words.words(place).map(({ name }) => name) : [];
}

function meaning(text: string): string | undefined {
  const place = placeIn(text.replace("|", ""), text.indexOf("|"));
  return (place && words.meaning(place)?.about) ?? undefined;
}

describe("what may be written", () => {
  it.each([
    ["|", ["gravity", "integrator", "air", "vehicles", "parts"]],
    ["gravity: 3\ngr|", ["integrator", "air", "vehicles", "parts"]],
    ["air:\n  |", ["space", "wind"]],
    ["air:\n  space: true\n  wi|\ngravity: 3", ["wind"]],
    ["air: {wind: {sp|", ["speed"]],
    ["air: {space: false, |}", ["wind"]],
    ["air:\n  wind:\n    |", ["speed"]],
    ["air:\n  space: |", ["true", "false"]],
    ["integrator: R|", ["Euler", "RK4"]],
    ["vehicles:\n  - mo|", ["model", "position"]],
    ["vehicles:\n  - model: qu|", ["quadcopter", "vtol"]],
    ["vehicles:\n- model: vtol\n  |", ["position"]],
    ["vehicles:\n  - {model: vtol, |", ["position"]],
    ["parts:\n  m1: {kind: rotor, |}", ["spin"]],
    ["parts:\n  m1:\n    kind: imu  # a comment: with colons\n    |", ["noise"]],
    ["parts:\n  m1:\n    kind: |", ["rotor", "imu"]],
    ["about: >\n  gravity: is prose here\n  {\n|", ["gravity", "integrator", "air", "vehicles", "parts"]],
    ["nonsense:\n  |", []],
    ["gravity: |", []],
  ])("at %j", (text, expected) => expect(offered(text)).toEqual(expected));

  it("says unit, limits and default in the schema's words", () => {
    expect(meaning("gra|vity: 3")).toBe("number · [m/s²] downward · from 0 to 1000 · unless given 9.81");
    expect(meaning("gravity: 3|")).toBe("number · [m/s²] downward · from 0 to 1000 · unless given 9.81");
    expect(meaning("air: {wind: {speed: 1|}}")).toBe("number · [m/s] · above 0");
    expect(meaning("vehicles:\n  - position: [0, 1|, 2]")).toBe("list");
    expect(meaning("nothing|: 3")).toBeUndefined();
  });
});
