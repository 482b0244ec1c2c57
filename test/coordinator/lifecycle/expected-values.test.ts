import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankIndex } from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { referenceOf } from '../../../coordinator/figures/references.ts';
import { H100 } from '../jobs/upload.ts';
import { compare, figures, h100, vote } from './votes.ts';

test('the expected value is the median of the votes of five customers with eight machines', () => {
  const votes = [690, 700, 710, 720, 730].map((bf16, index) => vote(`c${index}`, figures(bf16), index === 0 ? 4 : 1));
  assert.deepEqual(compare(h100(figures(715)), votes).metrics[0], {
    metric: 'bf16_tflops',
    value: 715,
    sample_size: 8,
    customers: 5,
    expected: 710,
    ratio: 1.007,
    // three of the five votes are at most 715
    percentile: 60,
    basis: 'peers',
    // 1 - 4.6 x 1.55 %, as chips differ at their power cap
    floor: 0.93,
    peak: 989.4,
    reference: {
      value: 710,
      low: 660.3,
      high: 759.7,
      cards: 8,
      source: 'median of 5 customers with 8 machines of the model',
      basis: 'customers',
    },
  });
});

test('four customers, or seven machines, are too few: what healthy cards of the model reached stands in', () => {
  const customers = ['a', 'b', 'c', 'd', 'e'];
  const fourOfMany = customers.slice(1).map((name) => vote(name, figures(700), 50));
  const sevenMachines = customers.map((name, index) => vote(name, figures(700), index === 0 ? 3 : 1));
  for (const [votes, sample_size] of [
    [fourOfMany, 200],
    [sevenMachines, 7],
  ] as const) {
    const compared = compare(h100(figures(715)), [...votes]);
    assert.deepEqual(compared.metrics[0], {
      metric: 'bf16_tflops',
      value: 715,
      sample_size,
      customers: votes.length,
      // by native/results; the peak of the sheet is beside it
      expected: 677,
      ratio: 1.0561,
      percentile: null,
      basis: 'reference',
      floor: 0.89,
      peak: 989.4,
      reference: referenceOf(H100, 'bf16_tflops', { engine: 'vendor', arithmetic: null, load: 'sustained' }),
    });
    assert.equal(compared.status, 'outperforming');
    assert.deepEqual([compared.score, compared.score_by], [105.6, 'bf16_tflops']);
  }
  assert.equal(compare(h100(figures(600))).status, 'underperforming', '600 / 677 is below 0.89');
  assert.equal(compare(h100(figures(605))).status, 'nominal');
  assert.equal(compare(h100(figures(715, 2860))).status, 'underperforming', '2860 / 3017 is below 0.95');
});

test('the customer of a job has no vote in what is expected of it; its own machines stand apart', () => {
  const votes = ['a', 'b', 'c', 'd'].map((name) => vote(name, figures(700), 2));
  const own = vote('own', figures(500), 100);
  const compared = compare(h100(figures(650)), [...votes, own]);
  assert.deepEqual([compared.metrics[0]?.basis, compared.metrics[0]?.customers], ['reference', 4]);
  assert.deepEqual(compared.own_fleet, [{ metric: 'bf16_tflops', machines: 100, median: 500, ratio: 1.3 }]);
  const world = compare(h100(figures(650)), [...votes, vote('e', figures(700)), own]);
  assert.deepEqual([world.metrics[0]?.expected, world.status], [700, 'underperforming']);
});

test('whatever the votes say, the expected value stays within the published band', () => {
  const expectedOf = (bf16: number, memory: number) => {
    const votes = ['a', 'b', 'c', 'd', 'e'].map((name) => vote(name, figures(bf16, memory), 2));
    return compare(h100(figures(700, 3000)), votes).metrics.map(({ expected }) => Number(expected?.toFixed(2)));
  };
  assert.deepEqual(expectedOf(3000, 9000), [1088.34, 3350], '1.10 of 989.4; the memory carries no more than its sheet');
  assert.deepEqual(expectedOf(100, 100), [602.53, 2866.15], '0.89 of 677, 0.95 of 3017');
});

test('figures that others are not measured by have no status, and a sentence says why', () => {
  const doubtful = { ...h100(figures(3000)), unranked: 'bf16_tflops: 3000 TFLOP/s is above the physical limit' };
  const compared = compare(doubtful);
  assert.deepEqual([compared.status, compared.score], ['unknown', null]);
  assert.match(compared.notes?.[0] ?? '', /neither judged nor ranked: bf16_tflops: 3000/);
  assert.equal(rankIndex(doubtful), null);
});
