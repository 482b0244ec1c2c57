import type { Vote } from './vote.ts';

export type Shares = Record<string, number>;

/** kinds of providers by their number among those who sell it */
function sharesOf(votes: readonly Vote[]): Shares {
  const kinds = new Map(votes.map(({ provider, sellers }) => [provider, sellers]));
  const counts = Map.groupBy(kinds.values(), (kind) => kind);
  return Object.fromEntries(
    [...counts]
      .map(([kind, of]): [string, number] => [kind, of.length / kinds.size])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Which kinds of providers sell a product; of one that nobody sells, its chip. */
export function sellerShares(votes: readonly Vote[]): (product: { product: string; chip: string }) => Shares {
  const known = new Map<string, Shares>();
  const byProduct = Map.groupBy(votes, ({ product }) => product);
  const byChip = Map.groupBy(votes, ({ chip }) => chip);
  return ({ product, chip }) => {
    const found = known.get(product) ?? sharesOf(byProduct.get(product) ?? byChip.get(chip) ?? votes);
    known.set(product, found);
    return found;
  };
}
