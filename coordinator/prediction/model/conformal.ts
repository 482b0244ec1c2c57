/** A residual with its weight relative to the provider's other residuals. */
interface Scored {
  provider: string;
  residual: number;
  weight: number;
}

/** Residuals in ascending order, with the cumulative weight up to and including each; the total is 1. */
export interface Pool {
  providers: number;
  residuals: number[];
  upTo: number[];
}

/** Each provider has one vote in the distribution, however many prices it has. */
export function poolOf(scored: readonly Scored[]): Pool {
  const sums = new Map<string, number>();
  for (const { provider, weight } of scored) sums.set(provider, (sums.get(provider) ?? 0) + weight);
  const sorted = scored.toSorted((a, b) => a.residual - b.residual || (a.provider < b.provider ? -1 : 1));
  let total = 0;
  const upTo = sorted.map(({ provider, weight }) => {
    total += weight / (sums.get(provider) ?? weight) / sums.size;
    return total;
  });
  return { providers: sums.size, residuals: sorted.map(({ residual }) => residual), upTo };
}

/** The smallest residual with at least this share of the weight at or below it. */
export function quantileOf({ residuals, upTo }: Pool, share: number): number {
  const at = upTo.findIndex((one) => one >= share - 1e-12);
  return residuals[at === -1 ? residuals.length - 1 : at] ?? Number.NaN;
}

/**
 * A central interval of the residuals that contains a new provider's price with this coverage: split conformal prediction (Vovk,
 * Gammerman and Shafer, 2005) over providers, at the level coverage x (G + 1) / G for G providers.
 */
export function intervalOf(pool: Pool, coverage: number): [low: number, high: number] {
  const level = Math.min(1, (coverage * (pool.providers + 1)) / pool.providers);
  const tail = (1 - level) / 2;
  // The upper end mirrors the lower one: the largest residual with at least the tail at or above it.
  const mirrored: Pool = {
    providers: pool.providers,
    residuals: pool.residuals.toReversed().map((one) => -one),
    upTo: pool.upTo.toReversed().map((one, at, all) => 1 - (all[at + 1] ?? 0)),
  };
  const low = tail <= 0 ? (pool.residuals[0] ?? Number.NaN) : quantileOf(pool, tail);
  const high = tail <= 0 ? (pool.residuals.at(-1) ?? Number.NaN) : -quantileOf(mirrored, tail);
  return [low, high];
}
