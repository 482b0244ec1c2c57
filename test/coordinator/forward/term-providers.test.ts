import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curveOfClass, termProviders } from '../../../coordinator/forward/curve-of-class.ts';
import type { NamedRatio, RateRow } from '../../../coordinator/forward/provider-terms.ts';

/** Votes of a provider: on demand and by months of a term. */
const asks = (provider: string, prices: Record<number, number>): RateRow[] =>
  Object.entries(prices).flatMap(([months, price]) => {
    const row = { provider, day: '2025-11-30', contract: 'standard' as const, price_type: Number(months), price };
    return ['', 'US'].map((country) => ({ ...row, country }));
  });
const named = (provider: string, tenor: number): NamedRatio => ({
  provider,
  tenor,
  ratio: 0.5,
  as_of: '2025-11-01',
  source_url: 'https://example.com',
});

/** The count of a curve at each of these tenors. */
function countsAt(tenors: readonly number[], rows: readonly RateRow[], ratios: readonly NamedRatio[] = []): number[] {
  const curve = curveOfClass(rows, { sellers: 'Hyperscaler', named: ratios }) ?? assert.fail('no curve');
  return tenors.map(termProviders(curve.inputs));
}

test('on demand all providers count, at a term those who publish it, between two terms the smaller count of both', () => {
  const rows = [
    ...asks('a', { 0: 4, 6: 3.6, 12: 3, 36: 2 }),
    ...asks('b', { 0: 4, 12: 3, 36: 2 }),
    ...asks('c', { 0: 4, 12: 3 }),
    ...asks('d', { 0: 4, 36: 2 }),
  ];
  // On demand a to d: 4. 6 months: a alone. 12 months: a, b, c: 3. 36 months: a, b, d: 3.
  assert.deepEqual(countsAt([0, 6, 12, 36], rows), [4, 1, 3, 3]);
  // min(4, 1) twice, min(1, 3), min(3, 3) three times.
  assert.deepEqual(countsAt([0.25, 5.75, 9, 12.25, 24, 35.75], rows), [1, 1, 1, 3, 3, 3]);
});

test('a term that named ratios fill counts those, and not the providers of other terms', () => {
  const rows = [...asks('a', { 0: 4, 12: 3 }), ...asks('b', { 0: 4, 12: 3 }), ...asks('c', { 0: 4, 12: 3 })];
  // 36 months: of the three named ratios those of a and b, as z is not in the curve; 12 months is published, so c's is not used.
  const ratios = [named('a', 36), named('b', 36), named('z', 36), named('c', 12)];
  assert.deepEqual(countsAt([0, 12, 24, 36], rows, ratios), [3, 3, Math.min(3, 2), 2]);
});

test('a capped term counts no more providers than the longer one whose money it has', () => {
  const rows = [...asks('a', { 0: 3, 12: 2, 36: 0.6 }), ...asks('b', { 0: 3, 12: 2 })];
  // Money of 12 months 12 x 2 = 24 is lowered to that of 36, 36 x 0.6 = 21.6, which a alone publishes.
  assert.deepEqual(countsAt([0, 6, 12, 24, 36], rows), [2, 1, 1, 1, 1]);
  // 36 x 1 = 36 is more than 24: nothing is lowered, and both publish 12 months.
  const rising = [...asks('a', { 0: 3, 12: 2, 36: 1 }), ...asks('b', { 0: 3, 12: 2 })];
  assert.deepEqual(countsAt([0, 6, 12, 24, 36], rising), [2, 2, 2, 1, 1]);
});
