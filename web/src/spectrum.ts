// How strong each frequency of a curve is.

export interface Spectrum {
  /** [Hz]. */
  frequencies: Float64Array;
  /** Of a sine: its amplitude. */
  amplitudes: Float64Array;
}

/** Rows below which there is nothing to see. */
const FEWEST = 16;
/** Of the usual step, more is a gap. */
const UNEVEN = 0.5;
/** Zeros are added to so many times the rows: between two frequencies a sine is short by a hundredth at most. */
const PADDED = 4;

/** Amplitudes under Hann's window, without the mean; null: too few rows, a gap, or something that is no number. */
export function spectrum(times: ArrayLike<number>, values: ArrayLike<number>): Spectrum | null {
  const count = times.length;
  if (count < FEWEST) return null;
  const step = (times[count - 1]! - times[0]!) / (count - 1);
  for (let k = 0; k < count; k++) {
    if (!Number.isFinite(values[k]) || !(step > 0)) return null;
    if (k > 0 && Math.abs(times[k]! - times[k - 1]! - step) > UNEVEN * step) return null;
  }
  let mean = 0;
  for (let k = 0; k < count; k++) mean += values[k]! / count;
  const size = PADDED * 2 ** Math.ceil(Math.log2(count));
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  let weight = 0;
  for (let k = 0; k < count; k++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (k + 0.5)) / count);
    weight += window;
    re[k] = window * (values[k]! - mean);
  }
  transform(re, im);
  const half = size / 2;
  return {
    frequencies: Float64Array.from({ length: half }, (_, k) => k / (size * step)),
    amplitudes: Float64Array.from({ length: half }, (_, k) => (2 * Math.hypot(re[k]!, im[k]!)) / weight),
  };
}

/** Fourier's transform in place; the length is a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let k = 1, j = 0; k < size; k++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (k < j) [re[k], re[j], im[k], im[j]] = [re[j]!, re[k]!, im[j]!, im[k]!];
  }
  for (let span = 2; span <= size; span *= 2) {
    const half = span / 2;
    for (let k = 0; k < half; k++) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / span), Math.sin((-2 * Math.PI * k) / span)];
      for (let at = k; at < size; at += span) {
        const [x, y] = [re[at + half]! * c - im[at + half]! * s, re[at + half]! * s + im[at + half]! * c];
        [re[at + half], im[at + half]] = [re[at]! - x, im[at]! - y];
        [re[at], im[at]] = [re[at]! + x, im[at]! + y];
      }
    }
  }
}
