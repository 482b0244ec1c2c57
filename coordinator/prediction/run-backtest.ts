import type { Context } from '../platform/context.ts';
import { backtest, type Judged } from './model/backtest.ts';
import { lastDaysOut, type LastDays } from './model/last-days.ts';
import { WINDOW_DAYS } from './model/vote.ts';
import { allowLongStatements, findFirstDay, findNewestDay, selectLastPrices, selectMonthlyVotes } from './queries.ts';
import { daysBefore, MOST_VOTES } from './train.ts';

export interface Backtest {
  first: string;
  last: string;
  judged: Judged[];
  lastDays: LastDays | null;
}

/** Both back-tests over all stored votes; null if there are none. Nothing is stored. */
export async function runBacktest({ sql }: Context, { lastDays }: { lastDays: number }): Promise<Backtest | null> {
  const read = await sql.begin('isolation level repeatable read read only', async (tx) => {
    await allowLongStatements(tx);
    const [first, last] = [await findFirstDay(tx), await findNewestDay(tx)];
    if (first === null || last === null) return null;
    const cut = daysBefore(last, lastDays);
    const window = { first: daysBefore(cut, WINDOW_DAYS - 1), last: cut };
    return {
      days: { first, last },
      cut,
      votes: await selectMonthlyVotes(tx, { first, last, limit: MOST_VOTES }),
      before: await selectMonthlyVotes(tx, { ...window, limit: MOST_VOTES }),
      after: await selectMonthlyVotes(tx, { first: daysBefore(cut, -1), last, limit: MOST_VOTES }),
      own: await selectLastPrices(tx, window),
    };
  });
  if (read === null) return null;
  const { days, cut, votes, before, after, own } = read;
  const last = new Map(
    own.map(({ provider, product, price_type, price }) => [`${provider}\t${product}\t${price_type}`, price]),
  );
  return {
    ...days,
    judged: [...backtest(votes)].flat(),
    lastDays: before.length === 0 ? null : lastDaysOut({ before, cut, after, last }),
  };
}
