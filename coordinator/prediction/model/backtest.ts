import { linearMedian, mean, orNull } from '../../figures/statistics.ts';
import { baselinesOf, type Baselines } from './baselines.ts';
import { intervalOf, poolOf } from './conformal.ts';
import { leaveOut, type Residual } from './leave-out.ts';
import { newestDay, votesWithin, type Vote } from './vote.ts';

/** A vote is judged if at least this many other providers sell the product on the same terms. */
export const LEAST_OTHERS = 4;
export const coverages = [0.5, 0.8, 0.95] as const;

/** One vote predicted without its provider, with the baselines for comparison. */
export interface Judged extends Residual {
  others: number;
  /** USD */
  baselines: Baselines;
  /** for each of `coverages`: whether the interval of the other providers' residuals contains it; null if it has no width */
  held: (boolean | null)[];
}

/**
 * Leave one provider out, month by month: a provider's votes of a month are predicted from all others' votes of the year up to
 * its end. Only products that at least four others sell on the same terms are judged.
 */
export function* backtest(votes: readonly Vote[]): Generator<Judged[]> {
  const months = [...new Set(votes.map(({ day }) => day.slice(0, 7)))].toSorted();
  for (const month of months) {
    const asOf = newestDay(votes.filter(({ day }) => day.startsWith(month)));
    if (asOf === null) continue;
    yield judgeMonth(votesWithin(votes, asOf), { asOf, from: `${month}-01` });
  }
}

interface Month {
  asOf: string;
  from: string;
  /** residuals of these votes, if they are known already */
  residuals?: readonly Residual[];
}

/** The votes since `from` of a window, judged as of its end. */
export function judgeMonth(votes: readonly Vote[], { asOf, from, residuals: given }: Month): Judged[] {
  const baselines = baselinesOf(votes);
  const residuals = (given ?? [...leaveOut(votes, asOf)].flat()).filter((one) => baselines(one).others >= LEAST_OTHERS);
  const intervals = intervalsWithout(residuals);
  return residuals
    .filter(({ day }) => day >= from)
    .map((one) => {
      const { others, ...beside } = baselines(one);
      const held = intervals(one).map(([low, high]) => (high > low ? one.known >= low && one.known <= high : null));
      return { ...one, others, baselines: beside, held };
    });
}

/** Intervals for `coverages` from all other providers' residuals on the same terms, computed once per provider and price type. */
export function intervalsWithout(
  residuals: readonly Residual[],
): (of: Pick<Residual, 'provider' | 'price_type'>) => [low: number, high: number][] {
  const known = new Map<string, [number, number][]>();
  return ({ provider, price_type }) => {
    const key = `${provider} ${price_type}`;
    const found = known.get(key) ?? coveragesOf(residuals, { provider, price_type });
    known.set(key, found);
    return found;
  };
}

function coveragesOf(
  residuals: readonly Residual[],
  without: Pick<Residual, 'provider' | 'price_type'>,
): [number, number][] {
  const rest = residuals.filter(
    ({ provider, price_type }) => provider !== without.provider && price_type === without.price_type,
  );
  const pool = poolOf(rest.map(({ provider, known }) => ({ provider, residual: known, weight: 1 })));
  return coverages.map((coverage) => intervalOf(pool, coverage));
}

/** Absolute error as a share of the price. */
const errorOf = ({ known }: Pick<Residual, 'known'>): number => Math.abs(Math.exp(-known) - 1);

export interface Score {
  votes: number;
  providers: number;
  mape: number;
  median_ape: number;
  /** median error by baseline */
  baselines: Record<keyof Baselines, number>;
  /** for each of `coverages`; null if no interval had a width */
  coverage: (number | null)[];
}

/** Requires at least one vote. */
export function scoreOf(judged: readonly Judged[]): Score {
  const errors = judged.map(errorOf);
  const beside = (name: keyof Baselines): number =>
    linearMedian(judged.map(({ baselines, price }) => Math.abs(baselines[name] / price - 1)));
  return {
    votes: judged.length,
    providers: new Set(judged.map(({ provider }) => provider)).size,
    mape: mean(errors),
    median_ape: linearMedian(errors),
    baselines: {
      product_median: beside('product_median'),
      latest_of_kind: beside('latest_of_kind'),
      last_value: beside('last_value'),
    },
    coverage: coverages.map((_, at) => {
      const told = judged.flatMap(({ held }) => held[at] ?? []);
      return told.length === 0 ? null : told.filter(Boolean).length / told.length;
    }),
  };
}

/**
 * Share of a provider's prices within their 80 % interval, averaged over providers: the interval is meant to contain the price of
 * an unseen provider. Null if no interval had a width.
 */
export function coverageByProvider(judged: readonly Judged[]): number | null {
  const shares = [...Map.groupBy(judged, ({ provider }) => provider).values()].flatMap((of) => {
    const told = of.flatMap(({ held }) => held[EIGHTY] ?? []);
    return told.length === 0 ? [] : [told.filter(Boolean).length / told.length];
  });
  return orNull(mean(shares));
}

const EIGHTY = coverages.indexOf(0.8);
