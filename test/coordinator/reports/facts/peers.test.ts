import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standings } from '../../../../coordinator/reports/facts/peers.ts';

const named = (values: number[]) => values.map((value, index) => ({ name: `n${index}`, value, marked: index === 1 }));

test('each value stands beside the median of its group, with the mark that it came with', () => {
  assert.deepEqual(
    standings(named([100, 95, 110, 100])).map(({ deviation, marked, of }) => [
      Math.round(deviation * 100) / 100,
      marked,
      of,
    ]),
    [
      [0, false, 4],
      [-0.05, true, 4],
      [0.1, false, 4],
      [0, false, 4],
    ],
  );
});

test('two values have no odd one out', () => {
  assert.deepEqual(standings(named([100, 50])), []);
});
