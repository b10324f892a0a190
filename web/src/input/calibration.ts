// Finding out which axis of a gamepad is which stick, and how far each goes.

import { type PadMap, type StickName, STICKS } from "./gamepad";

const ASK: Record<StickName, string> = {
  roll: "Move the stick for roll to the right and let go",
  pitch: "Pull the stick for pitch towards you and let go",
  yaw: "Move the stick for yaw to the right and let go",
  throttle: "Push the throttle fully up",
};
const STEPS = STICKS.length + 1;
/** An axis counts as moved beyond this. */
const MOVED = 0.5;
/** [ms] to find the ends. */
const ENDS_TIME = 4000;

export class Calibration {
  private readonly low: number[];
  private readonly high: number[];
  private step = 0;
  /** When the last step is over. */
  private until = Infinity;

  /** Begins with all sticks at rest; writes into the map. */
  constructor(
    private readonly start: readonly number[],
    private readonly map: PadMap,
  ) {
    this.low = [...start];
    this.high = [...start];
  }

  /** Take in one reading; returns what people should do now, null when all is known. */
  see(axes: readonly number[]): string | null {
    axes.forEach((value, k) => {
      this.low[k] = Math.min(this.low[k] ?? value, value);
      this.high[k] = Math.max(this.high[k] ?? value, value);
    });
    if (this.step < STICKS.length) this.assign(STICKS[this.step]!, axes);
    const stick = STICKS[this.step];
    if (stick) return `${this.step + 1} of ${STEPS}: ${ASK[stick]}.`;
    if (this.until === Infinity) this.until = performance.now() + ENDS_TIME;
    const left = Math.ceil((this.until - performance.now()) / 1000);
    if (left > 0) return `${STEPS} of ${STEPS}: move every stick to all its ends (${left} s).`;
    this.finish();
    return null;
  }

  /** Takes the axis that moves for the stick that is asked for; its first side is the positive one. */
  private assign(stick: StickName, axes: readonly number[]): void {
    const used = STICKS.slice(0, this.step).map((name) => this.map.axes[name].axis);
    const moved = axes.findIndex((value, k) => !used.includes(k) && Math.abs(value - this.start[k]!) > MOVED);
    if (moved < 0) return;
    const before = this.start[moved]!;
    const sign = Math.sign(axes[moved]! - before);
    const rest = Math.abs(before) > MOVED ? 0 : before; // a lever lies at an end
    this.map.axes[stick] = { axis: moved, low: -sign, rest, high: sign };
    this.step += 1;
  }

  /** The ends that were seen. */
  private finish(): void {
    for (const name of STICKS) {
      const map = this.map.axes[name];
      const [low, high] = [this.low[map.axis] ?? -1, this.high[map.axis] ?? 1];
      if (high - low > MOVED) [map.low, map.high] = map.high > map.low ? [low, high] : [high, low];
    }
  }
}
