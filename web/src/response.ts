// Figures of a response over time, for comparing runs.

export interface Response {
  /** [s] from a tenth to nine tenths of the way from the first value to the last; NaN: it ends where it began, or moves on. */
  rise: number;
  /** How far it goes beyond the last value, as a share of that way; NaN as above. */
  overshoot: number;
  /** [s] from the begin until it stays within a fiftieth of the way (of the largest excursion, where there is no way). */
  settling: number;
  /** The farthest from the first value. */
  peak: number;
  /** Root of the mean square over time. */
  rms: number;
  least: number;
  greatest: number;
  last: number;
}

/** Of all that a signal moves, less is no step. */
const STEP = 0.05;
/** Of the way, more movement at the end means that there is no last value. */
const STILL = 0.5;
/** Share of the time at the end whose mean is the last value: noise must not decide. */
const END = 0.05;
/** Of the way: nearer than this it has settled. */
const SETTLED = 0.02;

export function respond(times: ArrayLike<number>, values: ArrayLike<number>): Response {
  const [at, of] = finite(times, values);
  if (!at.length) return { rise: NaN, overshoot: NaN, settling: NaN, peak: NaN, rms: NaN, least: NaN, greatest: NaN, last: NaN };
  const least = of.reduce((low, one) => Math.min(low, one), Infinity);
  const greatest = of.reduce((high, one) => Math.max(high, one), -Infinity);
  const span = at[at.length - 1]! - at[0]!;
  const tail = of.filter((_, k) => at[k]! >= at[at.length - 1]! - END * span);
  const last = tail.reduce((sum, one) => sum + one, 0) / tail.length;
  const way = last - of[0]!;
  const peak = greatest - of[0]! > of[0]! - least ? greatest - of[0]! : least - of[0]!;
  const rms = Math.sqrt(mean(at, of.map((one) => one * one)));
  const restless = tail.reduce((a, b) => Math.max(a, b), -Infinity) - tail.reduce((a, b) => Math.min(a, b), Infinity);
  if (!(Math.abs(way) > STEP * (greatest - least)) || restless > STILL * Math.abs(way))
    return { rise: NaN, overshoot: NaN, settling: settled(at, of, last, SETTLED * Math.abs(peak)), peak, rms, least, greatest, last };
  const share = of.map((one) => (one - of[0]!) / way);
  const rise = crossing(at, share, 0.9) - crossing(at, share, 0.1);
  return { rise, overshoot: Math.max(0, share.reduce((a, b) => Math.max(a, b), 0) - 1), settling: settled(at, of, last, SETTLED * Math.abs(way)), peak, rms, least, greatest, last };
}

/** [s] after the first row until it stays near the last value; NaN: it does not before the last twentieth of the time. */
function settled(times: number[], values: number[], last: number, band: number): number {
  let outside = values.length - 1;
  while (outside >= 0 && !(Math.abs(values[outside]! - last) > band)) outside -= 1;
  const [first, end] = [times[0]!, times[times.length - 1]!];
  if (outside < 0) return 0;
  const time = times[Math.min(outside + 1, times.length - 1)]!;
  return time > end - END * (end - first) ? NaN : time - first;
}

/** Root of the mean square over the common time of how far two curves are apart. */
export function apart(times: ArrayLike<number>, values: ArrayLike<number>, others: ArrayLike<number>, theirs: ArrayLike<number>): number {
  const [at, of] = finite(times, values);
  const [when, what] = finite(others, theirs);
  const common = at.map((_, k) => k).filter((k) => when.length > 0 && at[k]! >= when[0]! && at[k]! <= when[when.length - 1]!);
  if (common.length < 2) return NaN;
  let next = 0;
  const gaps = common.map((k) => {
    while (next < when.length - 2 && when[next + 1]! < at[k]!) next += 1;
    const step = when[next + 1]! - when[next]!;
    const share = step > 0 ? (at[k]! - when[next]!) / step : 0;
    return (of[k]! - (what[next]! + share * (what[next + 1]! - what[next]!))) ** 2;
  });
  return Math.sqrt(mean(common.map((k) => at[k]!), gaps));
}

function finite(times: ArrayLike<number>, values: ArrayLike<number>): [number[], number[]] {
  const kept = Array.from(times, (_, k) => k).filter((k) => Number.isFinite(values[k]));
  return [kept.map((k) => times[k]!), kept.map((k) => values[k]!)];
}

/** Over time, by trapezia; rows need not be evenly spread. */
function mean(times: number[], values: number[]): number {
  const span = times[times.length - 1]! - times[0]!;
  if (!(span > 0)) return values[0] ?? NaN;
  let area = 0;
  for (let k = 1; k < times.length; k++) area += ((values[k]! + values[k - 1]!) / 2) * (times[k]! - times[k - 1]!);
  return area / span;
}

/** The first time at which a rising share reaches a level, on the line between two rows. */
function crossing(times: number[], share: number[], level: number): number {
  const k = share.findIndex((one) => one >= level);
  if (k <= 0) return k < 0 ? NaN : times[0]!;
  return times[k - 1]! + ((level - share[k - 1]!) / (share[k]! - share[k - 1]!)) * (times[k]! - times[k - 1]!);
}
