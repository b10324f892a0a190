// The last minutes of every signal, so that a plot that is opened late is not empty.

import type { Frame } from "./frame";

const ROWS = 4096;
const FEWEST = 256;
/** Numbers kept at most: 48 MB. */
const MOST = 6_000_000;

export class History {
  private times = new Float64Array(0);
  private values = new Float64Array(0);
  private rows = 0;
  private first = 0;
  private count = 0;
  private width = 0;

  /** Forget all, for as many signals. */
  restart(width: number): void {
    this.width = width;
    this.rows = Math.max(FEWEST, Math.min(ROWS, Math.floor(MOST / Math.max(1, width))));
    this.times = new Float64Array(this.rows);
    this.values = new Float64Array(this.rows * width);
    this.first = this.count = 0;
  }

  add(frame: Frame): void {
    const signals = frame.get("signals");
    const time = frame.clock("time");
    if (signals.length !== this.width) this.restart(signals.length);
    if (this.count) {
      const last = this.times[(this.first + this.count - 1) % this.rows]!;
      if (time === last) return;
      if (time < last) this.count = 0; // reset, restored or another place of a recording
    }
    const row = (this.first + this.count) % this.rows;
    this.times[row] = time;
    this.values.set(signals, row * this.width);
    if (this.count < this.rows) this.count += 1;
    else this.first = (this.first + 1) % this.rows;
  }

  get last(): number {
    return this.count ? this.times[(this.first + this.count - 1) % this.rows]! : 0;
  }

  /** Times and values of some signals from a time on: columns as uPlot takes them. */
  columns(signals: number[], since: number): Float64Array[] {
    let skip = 0;
    while (skip < this.count && this.times[(this.first + skip) % this.rows]! < since) skip += 1;
    const length = this.count - skip;
    const out = [0, ...signals].map(() => new Float64Array(length));
    for (let k = 0; k < length; k++) {
      const row = (this.first + skip + k) % this.rows;
      out[0]![k] = this.times[row]!;
      for (let s = 0; s < signals.length; s++) out[s + 1]![k] = this.values[row * this.width + signals[s]!]!;
    }
    return out;
  }
}
