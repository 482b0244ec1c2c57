/**
 * Number of the pair of seats `a` and `b` among `n` seats, from 0, in the order 0-1, 0-2, ... 1-2, ...; which one comes
 * first does not matter. `n` is the number of seats at the start of the run; it does not change when nodes leave.
 */
export function pairNumber(a: number, b: number, n: number): number {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  if (!Number.isInteger(low) || !Number.isInteger(high) || low < 0 || high >= n || low === high)
    throw new RangeError(`no pair of ${n} seats: ${a}, ${b}`);
  return (low * (2 * n - low - 1)) / 2 + high - low - 1;
}

/** The seats of a pair, `source` < `target`: the inverse of `pairNumber`. */
export function pairOf(number: number, n: number): { source: number; target: number } {
  if (!Number.isInteger(number) || number < 0 || number >= (n * (n - 1)) / 2)
    throw new RangeError(`no pair ${number} of ${n} seats`);
  let source = 0;
  let before = number;
  for (; before >= n - 1 - source; source += 1) before -= n - 1 - source;
  return { source, target: source + 1 + before };
}
