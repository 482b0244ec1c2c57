import type { Queryable } from '../../platform/db/client.ts';
import { selectIndexDays } from '../queries/index-days.ts';
import { selectPaidItems } from '../queries/index-items.ts';
import { daysOfPrices, logChange, pairsOf, splicesOf, WINDOW } from './geks.ts';
import { sidesOf, type PriceToken } from './index-definitions.ts';

export interface PriceLinks {
  before: { day: string; value: string };
  /** by day of both windows: ln of the index from it to the day, and to the day before */
  splices: { day: string; inNew: number; inOld: number }[];
  /** ln of the change from the day before */
  change: number;
  value: string;
}

/** The splices behind a figure of a price index. Null: it is the first day, or has none. */
export async function explainChange(
  sql: Queryable,
  { token, day }: { token: PriceToken; day: string },
): Promise<PriceLinks | null> {
  const expenditures = (await selectIndexDays(sql, ['expenditure'])).filter(({ value }) => value !== null);
  const at = expenditures.findIndex((row) => row.day === day);
  const days = expenditures.slice(Math.max(0, at - WINDOW), at + 1).map((row) => row.day);
  const yesterday = days.at(-2);
  if (at < 0 || yesterday === undefined) return null;
  const before = (await selectIndexDays(sql, [token], yesterday)).at(0);
  if (!before || before.value === null) return null;
  const between = pairsOf(daysOfPrices(days, await selectPaidItems(sql, days), sidesOf[token]));
  const splices = splicesOf(between, days.length - 1);
  const change = logChange(splices);
  if (change === null) return null;
  return {
    before: { day: yesterday, value: before.value },
    splices: splices.map(({ at: index, inNew, inOld }) => ({ day: days[index] ?? '', inNew, inOld })),
    change,
    value: String(Number(before.value) * Math.exp(change)),
  };
}
