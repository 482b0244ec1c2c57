import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainIndex } from '../../../../coordinator/market/pricing/chain-index.ts';
import { judgeDay, type JudgedDay, type Judging } from '../../../../coordinator/market/pricing/judge-day.ts';
import { OwnHistory } from '../../../../coordinator/market/pricing/own-history.ts';
import { unitBreak, type Move } from '../../../../coordinator/market/pricing/unit-breaks.ts';
import { aVote, dayAfter, screenedIn } from './votes.ts';

type Prices = Record<number, number>;

/** Days of two sources: providers 1 to 4 are of `aggregator`, those from 5 on of `gpuhunt`. */
function judged(days: readonly Prices[], terms: Partial<Judging> = {}): JudgedDay[] {
  const judging: Judging = {
    bandOf: () => null,
    isVolatile: () => false,
    isAccepted: () => false,
    hasChangedUnit: () => false,
    history: new OwnHistory(),
    ...terms,
  };
  return days.map((prices, at) => {
    const votes = Object.entries(prices).map(([id, price]) => {
      const provider_id = Number(id);
      return aVote({ provider_id, price, source: provider_id < 5 ? 'aggregator' : 'gpuhunt', cards: 8 });
    });
    return judgeDay(dayAfter('2026-05-01', at), votes, judging);
  });
}

const statuses = (days: readonly JudgedDay[]): (string | undefined)[] => days.map(({ prices }) => prices[0]?.status);
const unit = { 1: 'unit', 2: 'unit', 3: 'unit', 4: 'unit' };
const others = { 5: 0.5, 6: 0.55, 7: 0.6 };
const dear: Prices = { 1: 4, 2: 4.4, 3: 4.8, 4: 5.2 };
const times = (prices: Prices, factor: number): Prices =>
  Object.fromEntries(Object.entries(prices).map(([id, price]) => [id, price * factor]));

test('votes that all move to where the others are stay out if their whole source moved so, and the price is insufficient', () => {
  const days = judged([
    ...Array.from({ length: 8 }, () => ({ ...dear, ...others })),
    { ...times(dear, 1 / 8), ...others },
    { ...times(dear, 1 / 8), ...others },
    { ...dear, ...others },
  ]);
  assert.deepEqual(days.slice(7).map(screenedIn).slice(1, 3), [unit, unit]);
  assert.deepEqual(statuses(days).slice(8, 10), ['insufficient', 'insufficient']);
  assert.equal(days[8]?.prices[0]?.provider_count, 3);
  // With its former unit the source counts as it did.
  assert.deepEqual(screenedIn(days[10] as JudgedDay), screenedIn(days[7] as JudgedDay));
});

test('volatile prices that double with their whole source stay out, for as long as they stay there', () => {
  const isVolatile = () => true;
  const days = judged([dear, dear, ...Array.from({ length: 40 }, () => times(dear, 2)), dear], { isVolatile });
  assert.deepEqual(days.slice(0, 2).map(screenedIn), [{}, {}]);
  for (const day of days.slice(2, 42)) assert.deepEqual([screenedIn(day), day.prices], [unit, []]);
  assert.deepEqual([screenedIn(days[42] as JudgedDay), statuses(days)[42]], [{}, 'ok']);
});

test('the other screens judge a change that the operator states, and a provider that moves alone', () => {
  const stated = judged([dear, dear, times(dear, 2)], {
    isVolatile: () => true,
    hasChangedUnit: (source, day) => source === 'aggregator' && day === '2026-05-03',
  });
  assert.deepEqual(screenedIn(stated[2] as JudgedDay), {});
  const alone = judged([dear, dear, { ...dear, 1: 8 }], { isVolatile: () => true });
  assert.deepEqual([screenedIn(alone[2] as JudgedDay), statuses(alone)[2]], [{}, 'ok']);
});

test('an index has no value on a day with a quote of unsure unit, and goes on from the day before it', () => {
  const quote = (day: number, provider_id: number, price: number, is_unsure = false) => ({
    day: dayAfter('2026-05-01', day),
    provider_id,
    price,
    cards: 8,
    valid_days: 7,
    is_unsure,
  });
  const quotes = [0, 1, 2].flatMap((day) =>
    [1, 2, 3, 4].map((id) => (day === 1 && id < 3 ? quote(day, id, id / 8, true) : quote(day, id, id + day))),
  );
  const index = chainIndex(quotes, '2026-05-03');
  assert.deepEqual([...index.keys()], ['2026-05-01', '2026-05-03']);
  assert.equal(index.get('2026-05-03')?.linkedTo?.day, '2026-05-01');
  const moved = Math.exp([1, 2, 3, 4].reduce((sum, id) => sum + Math.log((id + 2) / id), 0) / 4);
  assert.ok(Math.abs((index.get('2026-05-03')?.value ?? 0) - Math.exp(Math.log(24) / 4) * moved) < 1e-9);
});

test('most prices of a source, or of most of its providers or products, make a break; half of them, or two, do not', () => {
  const move = (provider_id: number, product_id: number, ratio: number, cards: number | null = 8): Move => ({
    provider_id,
    product_id,
    ratio,
    cards,
  });
  const some = (count: number, ratio: number, from = 0): Move[] =>
    Array.from({ length: count }, (_, at) => move(from + at, from + at, ratio));
  const found = (moves: readonly Move[]): unknown => {
    const broken = unitBreak(moves);
    return broken === null ? null : [broken.factor, broken.isUp, broken.moved.length, broken.of];
  };
  assert.deepEqual(found([...some(4, 1 / 8), ...some(3, 1, 4)]), [null, false, 4, 7]);
  assert.deepEqual(found([...some(3, 1000), ...some(3, 1, 4)]), null);
  assert.deepEqual(found(some(2, 1000)), null);
  assert.deepEqual(found(some(3, 1000)), [1000, true, 3, 3]);
  // Machines of one card do not tell a price per machine from one per card.
  assert.deepEqual(found([...some(3, 1 / 8), ...[4, 5, 6, 7].map((id) => move(id, id, 1, 1))]), [null, false, 3, 3]);
  // One provider has most of the rows, and the others moved.
  const large = Array.from({ length: 20 }, (_, at) => move(99, at, 1));
  assert.deepEqual(found([...some(4, 0.1), ...large]), [10, false, 4, 24]);
  assert.deepEqual(found(some(9, 1.4)), null);
});
