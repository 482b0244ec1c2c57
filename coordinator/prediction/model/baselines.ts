import { linearMedian } from '../../figures/statistics.ts';
import type { Residual } from './leave-out.ts';
import { voteKey, type Vote } from './vote.ts';

/** Predictions without a model, USD, each from other providers' prices of the same year only. */
export interface Baselines {
  /** the median over providers and months of the product on these terms, in all countries */
  product_median: number;
  /** the median of the newest month in which this kind of provider sells it, else of the newest in which anyone does */
  latest_of_kind: number;
  /** the median of the newest day with prices, carried forward */
  last_value: number;
}

interface Whole {
  provider: string;
  sellers: string;
  day: string;
  price: number;
}

/** Baselines of a vote, and how many other providers they are based on. */
export function baselinesOf(
  votes: readonly Vote[],
): (of: Pick<Residual, 'provider' | 'product' | 'price_type' | 'sellers'>) => Baselines & { others: number } {
  const wholes = Map.groupBy(
    [...Map.groupBy(votes, voteKey).values()].map((of) => ({
      ...(of[0] as Vote),
      price: linearMedian(of.map(({ price }) => price)),
    })),
    ({ product, price_type }) => `${product} ${price_type}`,
  );
  const known = new Map<string, Baselines & { others: number }>();
  return (of) => {
    const key = `${of.provider}\t${of.product}\t${of.price_type}`;
    const found = known.get(key) ?? baselinesFor(wholes.get(`${of.product} ${of.price_type}`) ?? [], of);
    known.set(key, found);
    return found;
  };
}

function baselinesFor(
  wholes: readonly Whole[],
  { provider, sellers }: Pick<Residual, 'provider' | 'sellers'>,
): Baselines & { others: number } {
  const others = wholes.filter((one) => one.provider !== provider);
  const ofKind = others.filter((one) => one.sellers === sellers);
  const prices = (of: readonly Whole[]): number =>
    of.length === 0 ? Number.NaN : linearMedian(of.map(({ price }) => price));
  return {
    others: new Set(others.map((one) => one.provider)).size,
    product_median: prices(others),
    latest_of_kind: prices(ofNewestMonth(ofKind.length > 0 ? ofKind : others)),
    last_value: prices(ofNewestDay(others)),
  };
}

function ofNewestDay(votes: readonly Whole[]): Whole[] {
  const newest = votes
    .map(({ day }) => day)
    .toSorted()
    .at(-1);
  return votes.filter(({ day }) => day === newest);
}

function ofNewestMonth(votes: readonly Whole[]): Whole[] {
  const months = votes.map(({ day }) => day.slice(0, 7)).toSorted();
  return votes.filter(({ day }) => day.startsWith(months.at(-1) ?? ''));
}
