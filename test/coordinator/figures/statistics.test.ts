import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  geometricMean,
  higherQuantile,
  linearMedian,
  mean,
  median,
  orNull,
  quantile,
  scaledMad,
} from '../../../coordinator/figures/statistics.ts';

test('the median of an even count is the mean of the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([]), Number.NaN);
  // 10 sorts before 9 as text
  assert.equal(median([10, 9, 1]), 9);
});

test('quantiles are those of NumPy and R: linear between the values at (count - 1) q', () => {
  // numpy.quantile([1, 2, 4, 8], [0.25, 0.5, 0.75]) = 1.75, 3, 5
  assert.deepEqual(
    [0.25, 0.5, 0.75].map((q) => quantile([1, 2, 4, 8], q)),
    [1.75, 3, 5],
  );
  assert.equal(quantile([1, 2, 4, 8], 0.75, 3), 3, 'of 1, 2, 4');
  assert.equal(quantile([1, 2, 4, 8], 0.5, 0), 4);
  assert.equal(orNull(quantile([], 0.5)), null);
  assert.equal(orNull(quantile([5], 0.5, 0)), null);
});

test('the higher quantile is one of the values: of 1, 2, 4, 8 the third is their median, the last their upper quartile', () => {
  // numpy.quantile([1, 2, 4, 8], [0, 0.5, 0.75, 1], method='higher') = 1, 4, 8, 8
  assert.deepEqual(
    [0, 0.5, 0.75, 1].map((q) => higherQuantile([1, 2, 4, 8], q)),
    [1, 4, 8, 8],
  );
  assert.equal(higherQuantile([1, 2, 4], 0.5), 2);
});

test('the linear median of 0.1 and 0.7 is not the mean of the two to the last bit: stored prices were computed so', () => {
  // 0.7 - 0.1 is 0.6 in binary, half of it and 0.1 are 0.4; 0.1 + 0.7 is rounded down to 0.7999999999999999
  assert.deepEqual([linearMedian([0.7, 0.1]), median([0.7, 0.1])], [0.4, 0.39999999999999997]);
});

test('means and deviations are those of the textbook, and a deviation of nothing is none', () => {
  assert.equal(mean([1, 2, 6]), 3);
  assert.ok(Math.abs(geometricMean([2, 8]) - 4) < 1e-12);
  // distances from 3: 2, 1, 0, 1, 97; their median is 1
  assert.equal(scaledMad([1, 2, 3, 4, 100], 3), 1.4826);
  assert.equal(scaledMad([], 3), 0);
});
