import type { PaidItem } from '../queries/index-items.ts';

/** Days with figures in a window. */
export const WINDOW = 28;

/** What was paid for on a day: products in ascending number, the logarithm of each one's price and the money spent on it. */
export interface DayOfPrices {
  products: Int32Array;
  logPrices: Float64Array;
  money: Float64Array;
}

/** What was paid for on each of `days`; an item's input and output are two products. Prices of 0 have no logarithm: skipped. */
export function daysOfPrices(
  days: readonly string[],
  items: readonly PaidItem[],
  sides: readonly ('input' | 'output')[],
): DayOfPrices[] {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  };
  const byDay = Map.groupBy(items, ({ day }) => day);
  return days.map((day) => {
    const sold = (byDay.get(day) ?? [])
      .flatMap((item) =>
        sides.map((side) => ({
          product: numberOf(`${side} ${item.item}`),
          price: item[`price_${side}`],
          money: item[`price_${side}`] * item[`tokens_${side}`],
        })),
      )
      .filter(({ price }) => price > 0)
      .toSorted((a, b) => a.product - b.product);
    return {
      products: Int32Array.from(sold, ({ product }) => product),
      logPrices: Float64Array.from(sold, ({ price }) => Math.log(price)),
      money: Float64Array.from(sold, ({ money }) => money),
    };
  });
}

/**
 * ln of the Törnqvist index from one day to another over the products of both: sum of (s_a + s_b) / 2 x ln(p_b / p_a), s the
 * shares of the money spent on these products. Null if the days have no product in common that was paid for on both.
 */
function logTornqvist(from: DayOfPrices, to: DayOfPrices): number | null {
  let moneyFrom = 0;
  let moneyTo = 0;
  let byFrom = 0;
  let byTo = 0;
  for (let i = 0, j = 0; i < from.products.length && j < to.products.length;) {
    const [a = 0, b = 0] = [from.products[i], to.products[j]];
    if (a === b) {
      const change = (to.logPrices[j] ?? 0) - (from.logPrices[i] ?? 0);
      const [weightFrom = 0, weightTo = 0] = [from.money[i], to.money[j]];
      moneyFrom += weightFrom;
      moneyTo += weightTo;
      byFrom += weightFrom * change;
      byTo += weightTo * change;
    }
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return moneyFrom > 0 && moneyTo > 0 ? (byFrom / moneyFrom + byTo / moneyTo) / 2 : null;
}

type LogBetween = (from: number, to: number) => number | null;

/** Each pair of days is compared once. */
export function pairsOf(days: readonly DayOfPrices[]): LogBetween {
  const known = new Map<number, number | null>();
  return (from, to) => {
    if (from === to) return 0;
    const [low, high] = from < to ? [from, to] : [to, from];
    const key = low * days.length + high;
    let found = known.get(key);
    if (found === undefined) {
      const [a, b] = [days[low], days[high]];
      found = a && b ? logTornqvist(a, b) : null;
      known.set(key, found);
    }
    return found === null || from < to ? found : -found;
  };
}

/**
 * ln of the GEKS index between two days of a window (Gini, Eltetö-Köves, Szulc; with Törnqvist links Caves, Christensen and
 * Diewert 1982; over time Ivancic, Diewert and Fox 2011): the mean over all days l of the window of ln T(from, l) + ln T(l, to).
 * It does not matter which days are in between. Null if no day links the two.
 */
export function logGeks(
  between: LogBetween,
  window: { first: number; last: number },
  from: number,
  to: number,
): number | null {
  let sum = 0;
  let links = 0;
  for (let by = window.first; by <= window.last; by += 1) {
    const [there, on] = [between(from, by), between(by, to)];
    if (there === null || on === null) continue;
    sum += there + on;
    links += 1;
  }
  return links > 0 ? sum / links : null;
}

interface Splice {
  /** the day of the overlap */
  at: number;
  /** from it to the new day in the window that ends with the new day, and to the day before in the window that ends with that */
  inNew: number;
  inOld: number;
}

/**
 * The links behind a day's change from the day before. The mean splice (Diewert and Fox 2022) is their mean: over every day that
 * both windows have, ln P_new(s, t) - ln P_old(s, t - 1). With fewer than 28 days the window begins with the first.
 */
export function splicesOf(between: LogBetween, day: number): Splice[] {
  const window = (last: number) => ({ first: Math.max(0, last - WINDOW + 1), last });
  const [older, newer] = [window(day - 1), window(day)];
  const splices: Splice[] = [];
  for (let at = newer.first; at <= older.last; at += 1) {
    const [inNew, inOld] = [logGeks(between, newer, at, day), logGeks(between, older, at, day - 1)];
    if (inNew !== null && inOld !== null) splices.push({ at, inNew, inOld });
  }
  return splices;
}

/** ln of the change from the day before; null if nothing links the two. */
export function logChange(splices: readonly Splice[]): number | null {
  if (splices.length === 0) return null;
  // Summed in this order, and not as a mean of differences, so that stored indices are reproduced to the last bit.
  return splices.reduce((sum, { inNew, inOld }) => sum + inNew - inOld, 0) / splices.length;
}
