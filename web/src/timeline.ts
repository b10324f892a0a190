// Curves of signals over time, cut out of what the server keeps of every row that was simulated.

import type { Link } from "./link";

/** Numbers before the times: rows, whole. */
const HEAD = 2;

export interface Curves {
  /** Times [s], then the values of each signal. */
  columns: Float64Array[];
  /** Whether every row that was simulated is there; else the least and the greatest of several. */
  whole: boolean;
}

export class Timeline {
  constructor(private readonly link: Link) {}

  /** Some signals between two times [s]; at most about `points` rows, 0: all that there are. Null: no answer. */
  async fetch(signals: number[], since: number, until: number, points: number): Promise<Curves | null> {
    if (!signals.length) return null;
    const question = { signals: signals.join(","), since, until, points };
    const answer = await this.link.get("curves", question).catch(() => null);
    if (!answer?.ok) return null;
    return curvesIn(await answer.arrayBuffer(), signals.length);
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
