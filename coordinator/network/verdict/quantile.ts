/** Consistent with the standard deviation of a normal distribution: 1 / 0.6745. */
const MAD_TO_SIGMA = 1.4826;

/**
 * Quantile of ascending values by linear interpolation at (count - 1) * q: type 7 of Hyndman and Fan (1996), the default
 * of R and NumPy. `without` leaves out the value at that place. Null where nothing is left.
 */
export function quantile(ascending: readonly number[], q: number, without: number | null = null): number | null {
  const count = ascending.length - (without === null ? 0 : 1);
  if (count < 1) return null;
  const valueAt = (place: number): number => ascending[without !== null && place >= without ? place + 1 : place] ?? 0;
  const place = (count - 1) * q;
  const below = Math.floor(place);
  const low = valueAt(below);
  return place === below ? low : low + (valueAt(below + 1) - low) * (place - below);
}

export const median = (values: readonly number[]): number | null => quantile(ascending(values), 0.5);

/** A typed array sorts numbers in a third of the time: it calls nothing for each comparison. */
export function ascending(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).toSorted();
  return values.map((_, place) => sorted[place] ?? 0);
}

/** Median of the distances from `centre`, scaled to a standard deviation; 0 for no values. */
export const scaledMad = (values: readonly number[], centre: number): number =>
  MAD_TO_SIGMA * (median(values.map((value) => Math.abs(value - centre))) ?? 0);
