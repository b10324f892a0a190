// A flight that is over: what moved at some moments, all curves, what was told. Read from a shared file or the server.

import type { Changed, Flown, MomentTable, Section } from "./messages";
import type { Curves } from "./timeline";

const ALIGNED = 8;
const QUATERNION = 3;
const POSE = 7;

interface Rows {
  times: Float64Array;
  /** Column after column. */
  values: Float32Array;
}
interface Table extends Rows, MomentTable {
  /** Where its sections stand in a frame: first number, how many, whether they are poses. */
  places: { offset: number; count: number; poses: boolean }[];
}

export class Flight {
  private constructor(
    readonly head: Flown,
    private readonly tables: Table[],
    private readonly all: Rows,
  ) {}

  /** Unpack; an error says what does not fit. */
  static async read(packed: Uint8Array<ArrayBuffer>): Promise<Flight> {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return Flight.from(await new Response(stream).arrayBuffer());
  }

  static from(buffer: ArrayBuffer): Flight {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Flown;
    let at = 4 + length;
    const rows = (count: number, width: number): Rows => {
      const times = new Float64Array(buffer, at, count);
      const values = joined(new Uint8Array(buffer, at + 8 * count, 4 * count * width));
      at += 8 * count + Math.ceil((4 * count * width) / ALIGNED) * ALIGNED;
      return { times, values };
    };
    const tables = head.tables.map((table) => ({
      ...table,
      ...rows(table.rows, table.width),
      places: table.sections.map((name) => place(head.hello.layout.find((one) => one.name === name))),
    }));
    return new Flight(head, tables, rows(head.curve_rows, head.hello.signals.length));
  }

  /** First and last moment [s]. */
  get span(): [number, number] {
    return this.head.hello.replay ?? [0, 0];
  }

  /** Write what moves, and the newest value of each signal, at a time [s] into the numbers of a frame. */
  fill(numbers: Float64Array, time: number): void {
    for (const table of this.tables) {
      const k = lastBefore(table.times, time);
      const next = Math.min(k + 1, table.rows - 1);
      const gap = table.times[next]! - table.times[k]!;
      const share = table.straight && gap > 0 ? Math.min(1, Math.max(0, (time - table.times[k]!) / gap)) : 0;
      let column = 0;
      for (const { offset, count, poses } of table.places) {
        for (let c = 0; c < count; c++, column++)
          numbers[offset + c] = between(table.values[column * table.rows + k]!, table.values[column * table.rows + next]!, share);
        if (poses && share > 0) turn(numbers, offset, count, table, column - count, k, next, share);
      }
    }
    const signals = this.head.hello.layout.find((one) => one.name === "signals");
    if (!signals || !this.all.times.length) return;
    const row = lastBefore(this.all.times, time);
    for (let s = 0; s < signals.count; s++) numbers[signals.offset + s] = this.all.values[s * this.all.times.length + row]!;
  }

  /** Some signals between two times [s], as far as the file has them. */
  curves(signals: number[], since: number, until: number): Curves {
    const { times, values } = this.all;
    const first = times.findIndex((time) => time >= since);
    const end = first < 0 ? 0 : lastBefore(times, until) + 1;
    const cut = (from: number) => Float64Array.from(values.subarray(from + Math.max(0, first), from + Math.max(0, first, end)));
    const columns = signals.map((s) => cut(s * times.length));
    return { columns: [times.slice(Math.max(0, first), Math.max(0, first, end)), ...columns], whole: this.head.curves_whole };
  }

  /** What was known at a time [s]. */
  changedAt(time: number): Changed | null {
    const { told } = this.head;
    return told[lastBefore(told.map((one) => one.time), time)]?.changed ?? null;
  }
}

/** Which of rising times is the last that is not after `now`; the first when all are. */
export function lastBefore(times: ArrayLike<number>, now: number): number {
  let [low, high] = [0, times.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= now) low = middle;
    else high = middle;
  }
  return low;
}

/** Numbers whose bytes stand apart: all first ones, then all second ones. */
function joined(planes: Uint8Array): Float32Array {
  const count = planes.length / 4;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < 4; plane++)
    for (let k = 0; k < count; k++) bytes[4 * k + plane] = planes[plane * count + k]!;
  return new Float32Array(bytes.buffer);
}

function place(section: Section | undefined): Table["places"][number] {
  if (!section) throw new Error("a shared flight has a table of something that is not in its frames");
  return { offset: section.offset, count: section.count * section.width, poses: section.name === "bodies" };
}

function between(now: number, next: number, share: number): number {
  return share > 0 && Number.isFinite(next - now) ? now + share * (next - now) : now;
}

/** Attitudes lie on a sphere: the shorter way round, and of length 1. */
function turn(
  numbers: Float64Array,
  offset: number,
  count: number,
  { values, rows }: Table,
  column: number,
  k: number,
  next: number,
  share: number,
): void {
  const at = (c: number, row: number) => values[(column + c) * rows + row]!;
  for (let body = 0; body < count; body += POSE) {
    const first = body + QUATERNION;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += at(first + c, k) * at(first + c, next);
    const sign = dot < 0 ? -1 : 1;
    let size = 0;
    for (let c = 0; c < 4; c++) {
      const value = (1 - share) * at(first + c, k) + share * sign * at(first + c, next);
      numbers[offset + first + c] = value;
      size += value * value;
    }
    for (let c = 0; c < 4; c++) numbers[offset + first + c] = numbers[offset + first + c]! / (Math.sqrt(size) || 1);
  }
}
