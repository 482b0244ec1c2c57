/** Of at least one value. */
export const median = (values: ArrayLike<number>): number => quantile(new Float64Array(values).toSorted(), 0.5);

/** Of values in ascending order, at least one: linear between two of them (type 7 of Hyndman and Fan, as R and NumPy have it). */
export function quantile(ascending: ArrayLike<number>, part: number): number {
  const place = part * (ascending.length - 1);
  const below = ascending[Math.floor(place)] ?? Number.NaN;
  const above = ascending[Math.ceil(place)] ?? Number.NaN;
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}

/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const NORMAL = 1.4826;

/** The median and, of robust deviations from it, one: a measure that no single value can move far. */
export function robustSpread(values: ArrayLike<number>): { middle: number; deviation: number } {
  const middle = median(values);
  return { middle, deviation: NORMAL * median(Float64Array.from(values, (value) => Math.abs(value - middle))) };
}
