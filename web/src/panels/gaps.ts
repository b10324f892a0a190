// Gaps in curves: no line leads over one, and a value between two of them is a point.

export type Numbers = ArrayLike<number | null | undefined>;

/** A column as uPlot draws it, which takes null alone for a gap and a line over NaN. */
export function gapped(column: ArrayLike<number>): Float64Array | (number | null)[] {
  const values = Float64Array.from(column);
  return values.every((value) => Number.isFinite(value)) ? values : Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

/** Places of the values that have no neighbour; undefined is no row of this curve. */
export function lonely(values: Numbers): number[] {
  const found: number[] = [];
  let [first, before] = [-1, false];
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (value === undefined) continue;
    const is = Number.isFinite(value);
    if (!is && first >= 0) found.push(first);
    first = is && !before ? k : -1;
    before = is;
  }
  return first >= 0 ? [...found, first] : found;
}
