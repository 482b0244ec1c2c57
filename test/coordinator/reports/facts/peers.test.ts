import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standings } from '../../../../coordinator/reports/facts/peers.ts';

const named = (values: number[]) => values.map((value, index) => ({ name: `n${index}`, value }));
const outliers = (values: number[]) =>
  standings(named(values))
    .filter(({ outlier }) => outlier)
    .map(({ name }) => name);

test('a value far off among tight peers is an outlier, on either side', () => {
  // median 100, MAD 1, limit 3.5 x 1.4826 = 5.2
  assert.deepEqual(outliers([99, 100, 101, 100, 99, 101, 94.5]), ['n6']);
  assert.deepEqual(outliers([99, 100, 101, 100, 99, 101, 105.5]), ['n6']);
  assert.deepEqual(outliers([99, 100, 101, 100, 99, 101, 95]), []);
});

test('below 3 % nobody is an outlier, however tight the peers are', () => {
  assert.deepEqual(outliers([100, 100, 100, 100, 97.1]), []);
  assert.deepEqual(outliers([100, 100, 100, 100, 97]), ['n4']);
});

test('two values have no odd one out', () => {
  assert.deepEqual(standings(named([100, 50])), []);
});
