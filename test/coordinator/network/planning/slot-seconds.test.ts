import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotSecondsOf } from '../../../../coordinator/network/planning/start-rounds.ts';

test('a slot takes 3 s with tcp, 5 with rdma_host, 10 with rdma_gpu, or what the configuration says', () => {
  assert.equal(slotSecondsOf({ config: null }, 'tcp'), 3);
  assert.equal(slotSecondsOf({ config: null }, 'rdma_host'), 5);
  assert.equal(slotSecondsOf({ config: { slot_seconds: null } }, 'rdma_gpu'), 10);
  assert.equal(slotSecondsOf({ config: { slot_seconds: 12.5 } }, 'rdma_gpu'), 12.5);
});
