import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chainIndex } from '../../../../coordinator/market/pricing/chain-index.ts';
import type { Quote } from '../../../../coordinator/market/queries/votes.ts';
import { dayAfter } from './votes.ts';

const FIRST = '2026-05-01';
/** `days[n]`: provider -> price on the n-th day; whose quotes hold for a day unless told otherwise. */
const quotes = (days: readonly Record<number, number>[], terms: Partial<Quote> = {}): Quote[] =>
  days.flatMap((prices, at) =>
    Object.entries(prices).map(([provider, price]) => ({
      day: dayAfter(FIRST, at),
      provider_id: Number(provider),
      price,
      cards: 8,
      valid_days: 1,
      is_unsure: false,
      ...terms,
    })),
  );
const valuesOf = (given: readonly Quote[], days: number): (number | null)[] => {
  const index = chainIndex(given, dayAfter(FIRST, days - 1));
  return Array.from({ length: days }, (_, at) => {
    const value = index.get(dayAfter(FIRST, at))?.value;
    return value === undefined ? null : Math.round(value * 1e9) / 1e9;
  });
};
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;

describe('the chain-linked index', () => {
  test('begins at the geometric mean of three: (1 x 2 x 4)^(1/3) = 2', () => {
    assert.deepEqual(
      valuesOf(
        quotes([
          { 1: 1, 2: 2 },
          { 1: 1, 2: 2, 3: 4 },
        ]),
        2,
      ),
      [null, 2],
    );
  });

  test('a provider that joins at twice the price, or leaves, does not move it', () => {
    const three = { 1: 1, 2: 2, 3: 4 };
    const days = [three, { ...three, 4: 8 }, { ...three, 4: 8 }, { 2: 2, 3: 4, 4: 8 }, { 2: 2, 3: 4, 4: 8 }];
    assert.deepEqual(valuesOf(quotes(days), 5), [2, 2, 2, 2, 2]);
  });

  test('moves by the geometric mean of what the same providers ask', () => {
    const days = [
      { 1: 1, 2: 2, 3: 4 },
      { 1: 1.1, 2: 2, 3: 4, 4: 100 },
      { 1: 1.1, 2: 1, 4: 120, 3: 4 },
    ];
    assert.deepEqual(valuesOf(quotes(days), 3), [
      2,
      rounded(2 * 1.1 ** (1 / 3)),
      // of four now: 2 -> 1 and 100 -> 120
      rounded(2 * 1.1 ** (1 / 3) * (0.5 * 1.2) ** (1 / 4)),
    ]);
  });

  test('a quote stands for as many days as it holds; then the index is silent, and is linked over the gap', () => {
    const days = [{ 1: 1, 2: 2, 3: 4 }, {}, {}, {}, {}, {}, {}, {}, {}, { 1: 2, 2: 4, 3: 8 }];
    assert.deepEqual(valuesOf(quotes(days, { valid_days: 7 }), 10), [2, 2, 2, 2, 2, 2, 2, null, null, 4]);
  });

  test('after 30 days without three providers on both sides it begins anew', () => {
    const three = { 1: 1, 2: 2, 3: 4 };
    const others = { 4: 3, 5: 3, 6: 3 };
    const gap = (days: number) => [three, ...Array.from({ length: days }, () => ({})), others];
    const linkedTo = (days: number) =>
      chainIndex(quotes(gap(days)), dayAfter(FIRST, days + 1)).get(dayAfter(FIRST, days + 1));
    assert.equal(linkedTo(29), undefined);
    assert.deepEqual([rounded(linkedTo(30)?.value ?? 0), linkedTo(30)?.linkedTo], [3, null]);
  });

  test('a provider whose machine has another size is another offer', () => {
    const before = quotes([{ 1: 1, 2: 2, 3: 4, 4: 4 }]);
    const after = quotes([{}, { 1: 10, 2: 2, 3: 4, 4: 4 }]).map((quote) =>
      quote.provider_id === 1 ? { ...quote, cards: 1 } : quote,
    );
    const index = chainIndex([...before, ...after], dayAfter(FIRST, 1));
    assert.equal(rounded(index.get(dayAfter(FIRST, 1))?.value ?? 0), rounded(32 ** (1 / 4)));
    assert.equal(index.get(dayAfter(FIRST, 1))?.contributions.length, 3);
  });

  test('no provider has more than a third, and fewer than three have no index', () => {
    const index = chainIndex(
      quotes([
        { 1: 1, 2: 2, 3: 4 },
        { 1: 1, 2: 2 },
      ]),
      dayAfter(FIRST, 1),
    );
    assert.deepEqual(
      [...index].map(([day, { contributions }]) => [day, contributions.length]),
      [[FIRST, 3]],
    );
  });
});
