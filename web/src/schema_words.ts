// What a JSON Schema says of a place in a text: the keys and values that may stand there, with units and limits.

import { type Entry, type Place, valueOf } from "./yaml_place";

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema | boolean;
  prefixItems?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Word {
  /** As it is written. */
  name: string;
  /** What it is, in the schema's own words. */
  about: string;
}

export class SchemaWords {
  constructor(private readonly schema: Schema) {}

  /** What may be written at a place. */
  words(place: Place): Word[] {
    const here = this.at(place.above);
    const mapping = place.above.at(-1)!;
    if (place.at === "key") return this.keys(here, mapping);
    const inside = here.flatMap((one) => this.under(one, place.key));
    const values = this.values(inside);
    // An item of a list may be the begin of a mapping.
    return place.key === "[]" ? [...values, ...this.keys(inside, { ...mapping, inside: [] })] : values;
  }

  /** What the key at a place, or the one whose value it is, means. */
  meaning(place: Place): Word | null {
    const name = place.at === "key" ? place.word : place.key === "[]" ? place.above.at(-1)!.key : place.key;
    const above = place.at === "value" && place.key === "[]" ? place.above.slice(0, -1) : place.above;
    const found = this.at(above).flatMap((one) => this.under(one, name));
    const about = tell(found);
    return about ? { name, about } : null;
  }

  private at(above: Entry[]): Schema[] {
    let here = this.chosen(this.plain(this.schema), above[0]!);
    for (const entry of above.slice(1))
      here = this.chosen(
        here.flatMap((one) => this.under(one, entry.key)),
        entry,
      );
    return here;
  }

  /** Of several kinds the one that the mapping says it is. */
  private chosen(schemas: Schema[], entry: Entry): Schema[] {
    const kind = valueOf(entry, "kind");
    const fitting = schemas.filter(({ properties }) => this.kinds(properties?.kind).includes(kind));
    return fitting.length ? fitting : schemas;
  }

  private kinds(schema: Schema | undefined): unknown[] {
    return schema ? this.plain(schema).flatMap((one) => one.enum ?? [one.const]) : [];
  }

  private under(schema: Schema, key: string): Schema[] {
    const inside =
      key === "[]"
        ? (schema.prefixItems?.[0] ?? schema.items)
        : (schema.properties?.[key] ?? schema.additionalProperties);
    return typeof inside === "object" ? this.plain(inside) : [];
  }

  private keys(schemas: Schema[], mapping: Entry): Word[] {
    const taken = new Set(mapping.inside.map(({ key }) => key));
    const found = new Map<string, string>();
    for (const { properties, required } of schemas)
      for (const [name, schema] of Object.entries(properties ?? {}))
        if (!taken.has(name) && !found.has(name))
          found.set(name, `${tell(this.plain(schema))}${required?.includes(name) ? " · must be given" : ""}`);
    return [...found].map(([name, about]) => ({ name, about }));
  }

  private values(schemas: Schema[]): Word[] {
    const all = schemas.flatMap(({ type, const: only, enum: some, examples, properties }) => [
      ...(some ?? (only === undefined ? [] : [only])),
      ...(type === "boolean" ? [true, false] : []),
      ...(properties ? [] : (examples ?? [])),
    ]);
    return [...new Set(all.map(String))].map((name) => ({ name, about: "" }));
  }

  /** A schema without references and choices: each of those that it may be. */
  private plain(schema: Schema): Schema[] {
    if (schema.$ref) {
      const named = this.schema.$defs?.[schema.$ref.replace("#/$defs/", "")];
      return named ? this.plain(named).map((one) => worded(one, schema)) : [];
    }
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    return choices ? choices.flatMap((one) => this.plain(one)).map((one) => worded(one, schema)) : [schema];
  }
}

/** With the description and default of who refers to it. */
function worded(schema: Schema, by: Schema): Schema {
  return {
    ...schema,
    ...(by.description === undefined ? {} : { description: by.description }),
    ...(by.default === undefined ? {} : { default: by.default }),
    ...(by.examples === undefined ? {} : { examples: by.examples }),
  };
}

const TYPES: Record<string, string> = {
  number: "number",
  integer: "whole number",
  string: "text",
  boolean: "true or false",
  array: "list",
  object: "mapping",
};

/** Type, description with its unit, limits and default in one line. */
function tell(schemas: Schema[]): string {
  const real = schemas.filter(({ type }) => type !== "null");
  const types = [...new Set(real.map(typeOf).filter(Boolean))];
  const about = real.find(({ description }) => description)?.description?.split("\n")[0] ?? "";
  const limits = [...new Set(real.map(limitsOf).filter(Boolean))];
  const usual = schemas.find((one) => one.default !== undefined && one.default !== null)?.default;
  const shown = usual === undefined ? "" : JSON.stringify(usual);
  return [types.join(" or "), about, limits.join(" or "), shown && shown.length < 40 ? `unless given ${shown}` : ""]
    .filter(Boolean)
    .join(" · ");
}

function typeOf({ type, enum: some, const: only }: Schema): string {
  if (some) return some.join(", ");
  return only === undefined ? (TYPES[type ?? ""] ?? "") : JSON.stringify(only);
}

function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const low = minimum === undefined ? (exclusiveMinimum === undefined ? "" : `above ${exclusiveMinimum}`) : `from ${minimum}`;
  const high = maximum === undefined ? (exclusiveMaximum === undefined ? "" : `below ${exclusiveMaximum}`) : `to ${maximum}`;
  return [low, high].filter(Boolean).join(" ");
}
