// Values along a slider.

import type { ParameterInfo } from "../messages";

/** Places of a slider, from 0 on. */
export const STEPS = 1000;
/** From this ratio on a slider is logarithmic: else all small values lie under one pixel. */
const WIDE = 200;
/** Ends that are not written or beyond any use are replaced by a multiple of the default. */
const HUGE = 1e6;

export class Scale {
  readonly low: number;
  readonly high: number;
  readonly logarithmic: boolean;

  constructor({ low, high, default: usual }: Pick<ParameterInfo, "low" | "high" | "default">) {
    const size = Math.max(1, 5 * Math.abs(usual));
    this.low = low < -HUGE ? -size : low;
    this.high = high > HUGE ? size : high;
    this.logarithmic = this.low > 0 && this.high / this.low > WIDE;
  }

  /** Where a value lies; beyond the ends it is at the end. */
  place(value: number): number {
    const inside = Math.min(this.high, Math.max(this.low, value));
    const share = this.logarithmic
      ? Math.log(inside / this.low) / Math.log(this.high / this.low)
      : (inside - this.low) / (this.high - this.low || 1);
    return Math.round(STEPS * share);
  }

  /** What a place means, in four digits. */
  value(place: number): number {
    const share = place / STEPS;
    const value = this.logarithmic
      ? this.low * (this.high / this.low) ** share
      : this.low + (this.high - this.low) * share;
    return Number(value.toPrecision(4));
  }
}
