/** Every median, quantile, mean and spread, each defined once. For no values they are NaN, which `orNull` turns into null. */

/** The middle value, or the mean of the two middle ones, rounded once. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).toSorted();
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

/**
 * Quantile of ascending values by linear interpolation at (count - 1) * q: type 7 of Hyndman and Fan (1996), the default
 * of R and NumPy and Postgres's `percentile_cont`. `without` leaves out the value at that index.
 */
export function quantile(ascending: ArrayLike<number>, q: number, without: number | null = null): number {
  const count = ascending.length - (without === null ? 0 : 1);
  const valueAt = (place: number): number =>
    ascending[without !== null && place >= without ? place + 1 : place] ?? Number.NaN;
  const place = (count - 1) * q;
  const below = Math.floor(place);
  const [low, high] = [valueAt(below), valueAt(Math.ceil(place))];
  return low === high ? low : low + (high - low) * (place - below);
}

/** The median by `quantile`, as in stored prices: between two middle values it can differ from `median` in the last bit. */
export const linearMedian = (values: ArrayLike<number>): number => quantile(Float64Array.from(values).toSorted(), 0.5);

/** Always one of the ascending values, the upper one if the quantile falls between two: NumPy's `higher`. */
export const higherQuantile = (ascending: ArrayLike<number>, q: number): number =>
  ascending[Math.ceil((ascending.length - 1) * q)] ?? Number.NaN;

/** A typed array sorts numbers in a third of the time: it calls no function for each comparison. */
export const ascending = (values: ArrayLike<number>): number[] => [...Float64Array.from(values).toSorted()];

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? Number.NaN;
  return sum / values.length;
}

/** The values must be positive. */
export const geometricMean = (values: readonly number[]): number => Math.exp(mean(values.map(Math.log)));

/** Scales the median absolute deviation of a normal distribution to its standard deviation: 1 / 0.6745. */
export const MAD_TO_SIGMA = 1.4826;

/** Median of the distances from `centre`, scaled to a standard deviation; 0 for no values. */
export const scaledMad = (values: readonly number[], centre: number): number =>
  MAD_TO_SIGMA * (orNull(linearMedian(values.map((value) => Math.abs(value - centre)))) ?? 0);

export const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
