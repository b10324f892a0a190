// A binary state frame: an array of float64 whose sections Hello.layout names.

import { CLOCK, type Hello, type Section } from "./messages";

export type SectionName = Section["name"];
export type ClockName = (typeof CLOCK)[number];

const EMPTY = new Float64Array(0);
export const STATE_FRAME = 1;
export const PICTURE_FRAME = 2;
const PICTURE_HEADER = 3;

/** One moment of the world. */
export class Frame {
  private readonly parts = new Map<SectionName, Float64Array>();

  constructor(
    readonly numbers: Float64Array,
    layout: Section[],
  ) {
    for (const { name, offset, count, width } of layout) {
      this.parts.set(name, numbers.subarray(offset, offset + count * width));
    }
  }

  /** Numbers of a section, row after row; empty when the server has none. */
  get(name: SectionName): Float64Array {
    return this.parts.get(name) ?? EMPTY;
  }

  clock(name: ClockName): number {
    return this.get("clock")[CLOCK.indexOf(name)] ?? 0;
  }
}

/** A picture of an onboard camera. */
export interface Picture {
  camera: number;
  time: number;
  jpeg: Blob;
}

/** What a binary message is; null when it does not fit the layout that was agreed on. */
export function decode(buffer: ArrayBuffer, hello: Hello): Frame | Picture | null {
  if (buffer.byteLength < 8 * PICTURE_HEADER) return null;
  const kind = new Float64Array(buffer, 0, 1)[0];
  if (kind === PICTURE_FRAME) {
    const [, camera, time] = new Float64Array(buffer, 0, PICTURE_HEADER);
    return {
      camera: camera ?? 0,
      time: time ?? 0,
      jpeg: new Blob([buffer.slice(8 * PICTURE_HEADER)], { type: "image/jpeg" }),
    };
  }
  if (kind !== STATE_FRAME || buffer.byteLength !== 8 * hello.length) return null;
  return new Frame(new Float64Array(buffer), hello.layout);
}
