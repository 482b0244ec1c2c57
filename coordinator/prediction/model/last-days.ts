import { linearMedian, mean } from '../../figures/statistics.ts';
import { coverages, intervalsWithout } from './backtest.ts';
import { designOf, termsOf, predictLog } from './design.ts';
import { fit } from './fit.ts';
import { coefficientsOf, leaveOut } from './leave-out.ts';
import { voteKey, type Vote } from './vote.ts';

/** How well the votes of the last days were predicted from the days before. */
export interface LastDays {
  votes: number;
  providers: number;
  mape: number;
  median_ape: number;
  /** median error of the provider's own last price before these days, which does not exist for a provider not in the data */
  own_last_value: number;
  coverage: (number | null)[];
}

interface Given {
  /** votes of the year up to `cut` */
  before: readonly Vote[];
  cut: string;
  after: readonly Vote[];
  /** the newest price of each provider, product and term up to `cut`, by `provider\tproduct\ttype` */
  last: ReadonlyMap<string, number>;
}

/** Leave the last N days out: trains on the days before and judges offers that already had a price; null if there are none. */
export function lastDaysOut({ before, cut, after, last }: Given): LastDays | null {
  const design = designOf(before, cut);
  const coefficients = coefficientsOf(design, fit(design));
  const intervals = intervalsWithout([...leaveOut(before, cut)].flat());
  const judged = [...Map.groupBy(after, voteKey).values()].flatMap((of) => {
    const [first] = of;
    const own = first === undefined ? undefined : last.get(`${first.provider}\t${first.product}\t${first.price_type}`);
    if (first === undefined || own === undefined) return [];
    const price = linearMedian(of.map((vote) => vote.price));
    const left =
      of.reduce((sum, vote) => sum + Math.log(vote.price) - predictLog(coefficients, termsOf(vote, cut)), 0) /
      of.length;
    const held = intervals(first).map(([low, high]) => (high > low ? left >= low && left <= high : null));
    return [{ provider: first.provider, error: Math.abs(Math.exp(-left) - 1), own: Math.abs(own / price - 1), held }];
  });
  if (judged.length === 0) return null;
  return {
    votes: judged.length,
    providers: new Set(judged.map(({ provider }) => provider)).size,
    mape: mean(judged.map(({ error }) => error)),
    median_ape: linearMedian(judged.map(({ error }) => error)),
    own_last_value: linearMedian(judged.map(({ own }) => own)),
    coverage: coverages.map((_, at) => {
      const told = judged.flatMap(({ held }) => held[at] ?? []);
      return told.length === 0 ? null : told.filter(Boolean).length / told.length;
    }),
  };
}
