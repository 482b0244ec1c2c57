import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgePeers } from '../../../coordinator/figures/judge-peers.ts';

const verdicts = (values: number[], better?: 'higher' | 'lower') =>
  judgePeers(values, better).map(({ verdict }) => verdict);

test('behind the median of the node by 3 % is a warning, by 5 % a failure; ahead is neither', () => {
  // the fifth of nine is 1000
  const judged = judgePeers([1000, 971, 969, 949, 1200, 1000, 1010, 1001, 1000]);
  assert.deepEqual(
    judged.map(({ verdict }) => verdict),
    ['ok', 'ok', 'warn', 'bad', 'ok', 'ok', 'ok', 'ok', 'ok'],
  );
  assert.equal(judged[3]?.ratio, 0.949);
  assert.equal(judged[3]?.rule, '5.1 % behind the median of the 9 devices of this model, limit 5.0 %');
});

test('one dead card of eight does not move the median', () => {
  assert.deepEqual(verdicts([2950, 2940, 2960, 2955, 2945, 2950, 2952, 300]), [...Array(7).fill('ok'), 'bad']);
});

test('of two that differ by more than 5 % both are doubtful', () => {
  assert.deepEqual(verdicts([1000, 949]), ['warn', 'warn']);
  assert.deepEqual(verdicts([1000, 951]), ['ok', 'ok']);
  assert.match(judgePeers([1000, 900])[0]?.rule ?? '', /differ by 10\.0 %, limit 5\.0 %/);
});

test('a latency is better lower', () => {
  // 400 / 430 = 0.930
  assert.deepEqual(verdicts([400, 400, 430], 'lower'), ['ok', 'ok', 'bad']);
  assert.deepEqual(verdicts([400, 400, 370], 'lower'), ['ok', 'ok', 'ok']);
});

test('one device, or a value that is not a positive number, is compared with nobody', () => {
  assert.deepEqual(judgePeers([1000]), [{ ratio: null, verdict: 'ok', rule: 'no peer to compare with' }]);
  assert.deepEqual(judgePeers([]), []);
  assert.deepEqual(
    judgePeers([1000, 1000, 0, Number.NaN]).map(({ ratio }) => ratio),
    [1, 1, null, null],
  );
});
