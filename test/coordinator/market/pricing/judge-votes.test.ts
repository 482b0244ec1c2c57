import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeVotes } from '../../../../coordinator/market/pricing/judge-votes.ts';

const votes = (...prices: number[]) =>
  prices.map((price, at) => ({ provider_id: at + 1, price, observations: 10 * (at + 1) }));

test('a day without votes has no price', () => assert.equal(judgeVotes([]), null));

test('one provider is a price, and says that it is one', () => {
  const { price, price_median, provider_count, sample_size } = judgeVotes(votes(2.5)) ?? assert.fail();
  assert.deepEqual([price, price_median, provider_count, sample_size], [2.5, 2.5, 1, 10]);
});

test('every provider has one vote, however many offers it has', () => {
  const day = judgeVotes([
    { provider_id: 1, price: 2, observations: 1000 },
    { provider_id: 2, price: 4, observations: 1 },
  ]);
  assert.deepEqual([day?.price, day?.price_median, day?.sample_size], [3, 3, 1001]);
});

test('of six, one ten times as dear is no vote, and is named', () => {
  // median 3.1, deviations 0.1 0.1 0.2 0 0.3 26.9: spread 1.4826 x 0.15; 30 is 121 spreads away and 9.7 times the median
  const day = judgeVotes(votes(3, 3.2, 2.9, 3.1, 3.4, 30)) ?? assert.fail();
  assert.deepEqual([...day.outliers], [6]);
  assert.equal(day.provider_count, 5);
  assert.ok(Math.abs(day.price - (3 + 3.2 + 2.9 + 3.1 + 3.4) / 5) < 1e-12);
  assert.equal(day.price_median, 3.1);
});

test('where nearly all agree to the cent, one that is a third dearer still votes', () => {
  const day = judgeVotes(votes(2, 2, 2, 2, 2.7)) ?? assert.fail();
  assert.equal(day.outliers.size, 0);
  assert.ok(Math.abs(day.price - 10.7 / 5) < 1e-12);
});

test('of three nobody can say which is the odd one', () => {
  assert.equal(judgeVotes(votes(2, 2.1, 40))?.outliers.size, 0);
});

test('two price levels are a market, not outliers', () => {
  assert.equal(judgeVotes(votes(1.9, 2, 2.1, 6, 6.2, 6.5))?.outliers.size, 0);
});
