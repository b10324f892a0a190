// Curves of signals over time, cut out of what the server keeps of every row that was simulated.

import type { Link } from "./link";

/** Numbers before the times: rows, whole. */
const HEAD = 2;

/** A curve: the row of a signal in a frame, or an expression on signals. */
export type Key = number | string;

export interface Curves {
  /** Times [s], then the values of each curve. */
  columns: Float64Array[];
  /** Whether every row that was simulated is there; else what `thin` leaves. */
  whole: boolean;
}

export class Timeline {
  constructor(private readonly link: Link) {}

  /** Some curves between two times [s]; at most about `points` rows, 0: all that there are. Null: no answer.
   * `thin`: least and greatest values of stretches of time, or every so many rows as they are. */
  async fetch(keys: Key[], since: number, until: number, points: number, thin: "extremes" | "rows" = "extremes"): Promise<Curves | null> {
    if (!keys.length) return null;
    const signals = keys.filter((key) => typeof key === "number");
    const formulas = keys.filter((key) => typeof key === "string");
    const question = { signals: signals.join(","), since, until, points, ...(thin === "rows" ? { thin } : {}) };
    const answer = await this.link.get("curves", question, formulas).catch(() => null);
    if (!answer?.ok) return null;
    const found = curvesIn(await answer.arrayBuffer(), keys.length);
    if (!found) return null;
    const order = [...signals, ...formulas];
    return { columns: [found.columns[0]!, ...keys.map((key) => found.columns[1 + order.indexOf(key)]!)], whole: found.whole };
  }

  /** Unit of an expression, or what is wrong with it. */
  async derive(formula: string): Promise<{ unit: string; error: string }> {
    const answer = await this.link.get("derive", { formula }).catch(() => null);
    if (answer?.ok) return (await answer.json()) as { unit: string; error: string };
    return { unit: "", error: this.link.isFile ? "A shared file has no rows to compute it from." : "The simulation does not answer." };
  }
}

/** What an answer of the server holds; null when it does not fit. */
export function curvesIn(buffer: ArrayBuffer, signals: number): Curves | null {
  if (buffer.byteLength % 8 || buffer.byteLength < 8 * HEAD) return null;
  const numbers = new Float64Array(buffer);
  const [rows, whole] = [numbers[0]!, numbers[1]! > 0];
  if (numbers.length !== HEAD + rows * (1 + signals)) return null;
  const columns = Array.from({ length: 1 + signals }, (_, k) => numbers.subarray(HEAD + k * rows, HEAD + (k + 1) * rows));
  return { columns, whole };
}
