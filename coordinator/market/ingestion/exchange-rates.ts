import type { Context } from '../../platform/context.ts';
import { upsertRates, type Rate } from '../queries/reference.ts';

export type { Rate };

/** Banks publish on working days; a price of a weekend or a holiday takes the rate before it, none older than this. */
const MOST_DAYS = 7;
const DAY_MS = 86_400_000;

/** USD for one of the currency on a day; null if no rate of that day or the week before it is known. Rates of a currency in order of days. */
export function createRates(rates: readonly Rate[]): (currency: string, day: string) => number | null {
  const byCurrency = Map.groupBy(rates, ({ currency }) => currency);
  return (currency, day) => {
    if (currency === 'USD') return 1;
    const known = byCurrency.get(currency)?.findLast((rate) => rate.day <= day);
    if (!known) return null;
    return Date.parse(day) - Date.parse(known.day) <= MOST_DAYS * DAY_MS ? known.usd : null;
  };
}

/** Rates of days that are known already are replaced: a bank corrects itself. Prices that were stored keep theirs. */
export const storeRates = ({ sql }: Context, rates: readonly Rate[]): Promise<void> =>
  sql.begin((tx) => upsertRates(tx, rates)).then(() => undefined);
