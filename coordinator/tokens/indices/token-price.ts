import type { Queryable } from '../../platform/db/client.ts';
import type { Figure } from '../queries/index-days.ts';
import { selectPaidItems, type PaidItem } from '../queries/index-items.ts';
import { daysOfPrices, logChange, pairsOf, splicesOf, WINDOW, type DayOfPrices } from './geks.ts';
import { priceTokens, sidesOf, type PriceToken } from './index-definitions.ts';

const BASE = 100;
/** Decimals that are stored, beyond the four that are published, so that rounding does not accumulate along the chain. */
const DECIMALS = 12;

interface Given {
  /** all days of the series, in order */
  days: readonly string[];
  /** days with an expenditure: only their prices are representative of the market */
  withFigure: ReadonlySet<string>;
  /** the value of a frozen day; null if it is to be computed */
  frozenValue: (token: PriceToken, day: string) => string | null;
}

/**
 * The price indices on all days of the series: 100 on the first one with an expenditure, then from day to day by the mean splice
 * of GEKS windows. Frozen values are kept and later ones linked to them; days before the first frozen one have no figure.
 */
export async function priceFigures(sql: Queryable, given: Given): Promise<Map<PriceToken, Figure[]>> {
  const { days, withFigure, frozenValue } = given;
  const withPrices = days.filter((day) => withFigure.has(day));
  const baseOf = (token: PriceToken): string => withPrices.find((day) => frozenValue(token, day) !== null) ?? '';
  const bases = new Map(priceTokens.map((token) => [token, baseOf(token)]));
  const firstOpen = withPrices.findIndex((day) =>
    priceTokens.some((token) => day >= (bases.get(token) ?? '') && frozenValue(token, day) === null),
  );
  // Days before the window of the previous day need not be read.
  const from = firstOpen < 0 ? withPrices.length : Math.max(0, firstOpen - WINDOW);
  const items = await selectPaidItems(sql, withPrices.slice(from));
  return new Map(
    priceTokens.map((token) => {
      const read = daysOfPrices(withPrices.slice(from), items, sidesOf[token]);
      const figures = chain(withPrices, from, read, (day) => frozenValue(token, day));
      const sold = Map.groupBy(items, ({ day }) => day);
      return [
        token,
        days.map((day): Figure => {
          const { value, reason } = figures.get(day) ?? { value: null, reason: 'no expenditure of this day' };
          return { day, value, coverage: null, ...sizeOf(sold.get(day) ?? [], token), reason };
        }),
      ];
    }),
  );
}

type Outcome = { value: string; reason: null } | { value: null; reason: string };

function chain(
  days: readonly string[],
  from: number,
  read: readonly DayOfPrices[],
  frozenValue: (day: string) => string | null,
): Map<string, Outcome> {
  const between = pairsOf(read);
  const outcomes = new Map<string, Outcome>();
  const base = days.find((day) => frozenValue(day) !== null) ?? days[0] ?? '';
  let level: number | null = null;
  for (const [at, day] of days.entries()) {
    const frozen = frozenValue(day);
    if (frozen !== null) {
      level = Number(frozen);
      outcomes.set(day, { value: frozen, reason: null });
    } else if (day < base) outcomes.set(day, { value: null, reason: `the series begins on ${base}` });
    else if (day === base) {
      level = BASE;
      outcomes.set(day, { value: BASE.toFixed(DECIMALS), reason: null });
    } else {
      const change = logChange(splicesOf(between, at - from));
      if (change === null || level === null)
        outcomes.set(day, { value: null, reason: 'no item was sold on an earlier day as well' });
      else {
        const value: string = (level * Math.exp(change)).toFixed(DECIMALS);
        // Rounded as stored: the chain is the same whether or not this day has been frozen meanwhile.
        level = Number(value);
        outcomes.set(day, { value, reason: null });
      }
    }
  }
  return outcomes;
}

function sizeOf(items: readonly PaidItem[], token: PriceToken): { models: number; tokens: string } {
  const tokens = items.reduce(
    (sum, item) => sum + sidesOf[token].reduce((all, side) => all + item[`tokens_${side}`], 0),
    0,
  );
  return { models: items.length, tokens: String(tokens) };
}
