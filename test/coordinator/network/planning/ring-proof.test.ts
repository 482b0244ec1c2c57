import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ringProof } from '../../../../coordinator/network/planning/plan-ring.ts';

const check = (source: number, target: number, status: 'ok' | 'transport_error' | 'node_lost' = 'ok') => ({
  source,
  target,
  status,
});

test('a transport is proven where every living node has one check that worked and none that failed', () => {
  const ring = [check(0, 1), check(1, 2), check(2, 3), check(0, 3)];
  assert.deepEqual(ringProof(ring, [0, 1, 2, 3]), { proven: true, failed: null });
  const broken = check(1, 2, 'transport_error');
  assert.deepEqual(ringProof([check(0, 1), broken, check(2, 3), check(0, 3)], [0, 1, 2, 3]), {
    proven: false,
    failed: broken,
  });
});

test('a node that dies during the check costs the others no transport', () => {
  const ring = [check(0, 1), check(1, 2, 'node_lost'), check(2, 3, 'node_lost'), check(0, 3)];
  assert.deepEqual(ringProof(ring, [0, 1, 3]), { proven: true, failed: null });
});

test('a living node without a check of its own proves nothing', () => {
  assert.equal(ringProof([check(0, 1), check(1, 2, 'node_lost')], [0, 1, 3]).proven, false);
  assert.equal(ringProof([], [0, 1]).proven, false);
});
