import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fakeCoordinator } from '../../support/fake-coordinator.ts';
import type { FakeCoordinator } from '../../support/fake-coordinator.ts';
import { fakeNetwork } from '../../support/fake-network.ts';
import { fileTree } from '../../support/file-tree.ts';
import { slotsPlan } from '../../support/network-plans.ts';
import { exitCodeOf, hostWithRunner } from '../../support/run-harness.ts';
import { jobToken } from '../../support/test-host.ts';
import { fakeTools } from './support/fake-tools.ts';
import { good } from './support/two-nodes.ts';
import { infinibandFiles } from './support/sysfs-trees.ts';

/** A whole run of the agent on a machine with one InfiniBand port and a perftest on its path. */
async function runAgent(t: TestContext, coordinator: FakeCoordinator) {
  const network = fakeNetwork([slotsPlan(['0.1'], { transport: 'rdma_host', slot_ms: 4600 })]);
  coordinator.answer = network.answer;
  const fake = fakeTools(t, { devices: { mlx5_0: good } });
  const path = process.env['PATH'] ?? '';
  process.env['PATH'] = `${dirname(fake.tools.write_bw)}:${path}`;
  t.after(() => (process.env['PATH'] = path));
  const host = hostWithRunner(t);
  host.system_root = fileTree(t, {
    ...infinibandFiles({ mlx5_0: {} }),
    'etc/machine-id': '0123456789abcdef0123456789abcdef\n',
  }).root;
  assert.ok([0, 3].includes(await exitCodeOf(host, jobToken(coordinator.url))), host.err());
  return network;
}

test('the agent reports its rails when it joins, and an RDMA slot runs perftest only after the exchange with the other end', async (t) => {
  await using coordinator = await fakeCoordinator(['cluster_network', 'quick_mark']);
  const network = await runAgent(t, coordinator);
  const rdma = network.joins[0]?.capabilities.rdma;
  assert.equal(rdma?.perftest_version, '6.06');
  assert.deepEqual(
    rdma.devices.map(({ device, gid_index }) => [device, gid_index]),
    [['mlx5_0', 0]],
  );
  const slot = network.taken.find(({ kind }) => kind === 'slot');
  // The other end of the fake runner's channel says what no agent says.
  assert.ok(slot?.kind === 'slot');
  assert.deepEqual([slot.status, slot.stage, slot.code, slot.received], ['closed', 'connect', 'NO_WORD', null]);
});
