import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  daysOfPrices,
  logChange,
  logGeks,
  pairsOf,
  splicesOf,
  WINDOW,
} from '../../../coordinator/tokens/indices/geks.ts';
import type { PaidItem } from '../../../coordinator/tokens/queries/index-items.ts';

type Offer = [price: number, tokens: number];
/** By day and item; output costs three times the input and is a fifth of it. */
type Market = Record<string, Offer>[];

const dayName = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

const itemsOf = (market: Market): PaidItem[] =>
  market.flatMap((items, at) =>
    Object.entries(items).map(([item, [price, tokens]]) => ({
      day: dayName(at),
      item,
      tokens_input: tokens,
      tokens_output: tokens / 5,
      price_input: price,
      price_output: 3 * price,
    })),
  );

function series(market: Market, sides: readonly ('input' | 'output')[] = ['input', 'output']): number[] {
  const days = market.map((_, at) => dayName(at));
  const between = pairsOf(daysOfPrices(days, itemsOf(market), sides));
  const values = [100];
  for (let at = 1; at < days.length; at += 1) {
    const change = logChange(splicesOf(between, at));
    assert.ok(change !== null, `day ${at}`);
    values.push((values.at(-1) ?? 0) * Math.exp(change));
  }
  return values;
}

/** The same from the textbook: products and roots, input prices only. */
function textbook(market: Market): number[] {
  const tornqvist = (a: number, b: number): number => {
    const [from, to] = [market[a] ?? {}, market[b] ?? {}];
    const both = Object.keys(from).filter((item) => item in to);
    const spent = (items: Record<string, Offer>): number =>
      both.reduce((sum, item) => sum + (items[item]?.[0] ?? 0) * (items[item]?.[1] ?? 0), 0);
    return both.reduce((product, item) => {
      const [p0 = 0, q0 = 0] = from[item] ?? [];
      const [p1 = 0, q1 = 0] = to[item] ?? [];
      const share = ((p0 * q0) / spent(from) + (p1 * q1) / spent(to)) / 2;
      return product * (p1 / p0) ** share;
    }, 1);
  };
  const root = (values: number[]): number =>
    values.reduce((product, value) => product * value ** (1 / values.length), 1);
  const geks = (window: number[], a: number, b: number): number =>
    root(window.map((by) => tornqvist(a, by) * tornqvist(by, b)));
  const windowOf = (last: number): number[] => Array.from({ length: Math.min(last + 1, 28) }, (_, back) => last - back);
  const values = [100];
  for (let t = 1; t < market.length; t += 1) {
    const [older, newer] = [windowOf(t - 1), windowOf(t)];
    const overlap = newer.filter((day) => older.includes(day));
    const before = values[t - 1] ?? 0;
    values.push(before * root(overlap.map((s) => geks(newer, s, t) / geks(older, s, t - 1))));
  }
  return values;
}

const near = (actual: number, expected: number, what = ''): void =>
  assert.ok(Math.abs(actual / expected - 1) < 1e-9, `${what} ${actual}, expected ${expected}`);

/** Prices and tokens that jump about, from a fixed sequence. */
function wild(days: number, items: number, seed = 7): Market {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: days }, () =>
    Object.fromEntries(
      Array.from({ length: items }, (_, at): [string, Offer] => [`m${at}`, [0.1 + next() * 5, 10 + next() * 1000]]),
    ),
  );
}

describe('the constant-quality price index', () => {
  test('is what products and roots of the textbook give, on three days of two models by hand', () => {
    const market: Market = [
      { a: [1, 100], b: [4, 50] },
      { a: [1, 200], b: [2, 100] },
      { a: [0.5, 300], b: [2, 50] },
    ];
    const [, second = 0, third = 0] = series(market, ['input']);
    // Day 1: shares of b 2/3 and 1/2, so 7/12: 0.5^(7/12). Of two days GEKS is the one link that there is.
    near(second, 100 * 0.5 ** (7 / 12), 'second day');
    near(third, textbook(market)[2] ?? 0, 'third day');
  });

  test('equals the textbook also when the window moves on, with models that come and go', () => {
    const market = wild(45, 6).map((items, at) =>
      Object.fromEntries(Object.entries(items).filter((_, model) => (at * 7 + model * 3) % 5 !== 0 || model < 2)),
    );
    const expected = textbook(market);
    for (const [at, value] of series(market, ['input']).entries()) near(value, expected[at] ?? 0, `day ${at}`);
  });

  test('prices that stay where they are give 100, whatever is bought', () => {
    const market = wild(40, 5).map((items) =>
      Object.fromEntries(
        Object.entries(items).map(([item, [, tokens]], at): [string, Offer] => [item, [1 + at, tokens]]),
      ),
    );
    for (const value of series(market)) near(value, 100);
  });

  test('all prices times two give 200, whatever is bought', () => {
    const market = wild(40, 5).map((items, day) =>
      Object.fromEntries(
        Object.entries(items).map(([item, [, tokens]], at): [string, Offer] => [
          item,
          [(1 + at) * (day < 20 ? 1 : 2), tokens],
        ]),
      ),
    );
    near(series(market).at(-1) ?? 0, 200);
  });

  test('within a window it does not matter which days lie between: prices that return bring the index back', () => {
    const [first = {}, ...others] = wild(WINDOW - 2, 4);
    const market = [first, ...others, first];
    const between = pairsOf(
      daysOfPrices(
        market.map((_, at) => dayName(at)),
        itemsOf(market),
        ['input'],
      ),
    );
    const window = { first: 0, last: market.length - 1 };
    for (const by of [3, 9, 20]) {
      const direct = geksOf(between, window, 0, 25);
      near(Math.exp(geksOf(between, window, 0, by) + geksOf(between, window, by, 25)), Math.exp(direct), `by ${by}`);
    }
    near(Math.exp(geksOf(between, window, 0, market.length - 1)), 1, 'prices as on the first day');
  });

  test('a model that enters or leaves moves nothing by that, however dear it is', () => {
    const steady = (more: Record<string, Offer>): Record<string, Offer> => ({ a: [1, 100], b: [4, 50], ...more });
    const market = Array.from({ length: 35 }, (_, at) => steady(at >= 10 && at < 25 ? { dear: [500, 1e6] } : {}));
    for (const value of series(market)) near(value, 100);
  });

  test('input and output have indices of their own', () => {
    const market: Market = [{ a: [1, 100] }, { a: [2, 100] }];
    for (const sides of [['input'], ['output'], ['input', 'output']] as const) near(series(market, sides)[1] ?? 0, 200);
    const none = pairsOf(
      daysOfPrices(['2026-01-01', '2026-01-02'], itemsOf([{ a: [1, 1] }, { b: [1, 1] }]), ['input']),
    );
    assert.equal(logChange(splicesOf(none, 1)), null, 'days that sold nothing alike are not linked');
  });
});

function geksOf(
  between: ReturnType<typeof pairsOf>,
  window: { first: number; last: number },
  a: number,
  b: number,
): number {
  const found = logGeks(between, window, a, b);
  assert.ok(found !== null);
  return found;
}
