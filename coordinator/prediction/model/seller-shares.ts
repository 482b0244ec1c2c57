import type { Vote } from './vote.ts';

export type Shares = Record<string, number>;

/** Kinds of providers with their shares of the providers in these votes. */
function sharesOf(votes: readonly Vote[]): Shares {
  const kinds = new Map(votes.map(({ provider, sellers }) => [provider, sellers]));
  const counts = Map.groupBy(kinds.values(), (kind) => kind);
  return Object.fromEntries(
    [...counts]
      .map(([kind, of]): [string, number] => [kind, of.length / kinds.size])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Shares of the kinds of providers that sell a product; if none does, its chip; if none does, anything. */
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
