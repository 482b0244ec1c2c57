import { linearMedian, mean, orNull } from '../../figures/statistics.ts';
import { baselinesOf, type Baselines } from './baselines.ts';
import { intervalOf, poolOf } from './conformal.ts';
import { leaveOut, type Residual } from './leave-out.ts';
import { newestDay, votesWithin, type Vote } from './vote.ts';

/** A product is judged if at least so many others sell it on these terms. */
export const LEAST_OTHERS = 4;
export const coverages = [0.5, 0.8, 0.95] as const;

/** One vote that was predicted without its provider, beside what else could have been said. */
export interface Judged extends Residual {
  others: number;
  /** USD */
  baselines: Baselines;
  /** of each of `coverages`: whether the interval of the other providers' residuals holds it; null: it has no width */
  held: (boolean | null)[];
}

/**
 * Leave one provider out, month by month: a provider's votes of a month from all others' of the year up to its end. Judged are
 * products that four others sell on the same terms.
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
  /** of these votes, if they are known already */
  residuals?: readonly Residual[];
}

/** Votes since `from` of a window, judged at its end. */
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

/** Intervals of `coverages` by the residuals of all other providers on the same terms, made once for each provider and price type. */
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
  /** by baseline */
  baselines: Record<keyof Baselines, number>;
  /** of `coverages`; null: no interval had a width */
  coverage: (number | null)[];
}

/** At least one vote. */
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
 * Share of a provider's prices within their 80 % interval, the mean over providers: what the interval promises is the price of a
 * provider that nobody has seen. Null: no interval had a width.
 */
export function coverageByProvider(judged: readonly Judged[]): number | null {
  const shares = [...Map.groupBy(judged, ({ provider }) => provider).values()].flatMap((of) => {
    const told = of.flatMap(({ held }) => held[EIGHTY] ?? []);
    return told.length === 0 ? [] : [told.filter(Boolean).length / told.length];
  });
  return orNull(mean(shares));
}

const EIGHTY = coverages.indexOf(0.8);
