import type { VoteRow } from '../../../../coordinator/market/queries/votes.ts';
import { judgeDay, type JudgedDay, type Judging } from '../../../../coordinator/market/pricing/judge-day.ts';
import { OwnHistory } from '../../../../coordinator/market/pricing/own-history.ts';

export const aVote = (given: Partial<VoteRow> & Pick<VoteRow, 'provider_id' | 'price'>): VoteRow => ({
  product_id: 1,
  price_type: 0,
  country: '',
  segment: '',
  observations: 1,
  cards: 8,
  source: 'gpuhunt',
  valid_days: 7,
  oldest_quote: '2026-05-01',
  ...given,
});

export const dayAfter = (first: string, days: number): string =>
  new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);

/** Days judged one after the other; `days[n]` are the worldwide prices by provider on the n-th day from 2026-05-01. */
export function judgeDays(
  days: readonly Record<number, number>[],
  terms: Partial<Omit<Judging, 'history'>> = {},
): JudgedDay[] {
  const judging: Judging = {
    bandOf: () => null,
    isVolatile: () => false,
    isAccepted: () => false,
    hasChangedUnit: () => false,
    ...terms,
    history: new OwnHistory(),
  };
  return days.map((prices, at) => {
    const day = dayAfter('2026-05-01', at);
    const votes = Object.entries(prices).map(([provider, price]) =>
      aVote({ provider_id: Number(provider), price, oldest_quote: day }),
    );
    return judgeDay(day, votes, judging);
  });
}

/** Provider -> why its vote does not count. */
export const screenedIn = ({ votes }: JudgedDay): Record<number, string> =>
  Object.fromEntries(
    votes.flatMap(({ provider_id, screened_by }) => (screened_by ? [[provider_id, screened_by]] : [])),
  );
