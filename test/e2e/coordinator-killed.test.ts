import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { deploy } from './deployment.ts';
import { jobClient } from './job-client.ts';
import { killWithItsPostgres } from './kill-coordinator.ts';
import { ProtocolNode } from './protocol-node.ts';

const NODES = 24;
const RETRY_MS = 100;

test('kill -9 of coordinator and Postgres during uploads loses nothing acknowledged and counts nothing twice', async (t) => {
  const deployment = await deploy(t);
  const { baseUrl, customer, user } = deployment;
  const job = await customer.createJob({ benchmarks: ['quick_mark'], node_count: NODES });
  const nodes = Array.from({ length: NODES }, () => new ProtocolNode(baseUrl, job.token));
  for (const node of nodes) assert.equal((await node.register()).status, 200);

  const acknowledged = new Set<string>();
  const startedAt = new Date();
  const deliver = async (node: ProtocolNode): Promise<void> => {
    const result = node.quickMark(job.id, startedAt);
    await untilAcknowledged(async () => (await node.results(result)).status === 200);
    acknowledged.add(result.result_key);
    await untilAcknowledged(async () => (await node.complete()).status === 200);
  };
  // a third is acknowledged before the crash, the rest is in flight or still to come
  await Promise.all(nodes.slice(0, NODES / 3).map(deliver));
  const rest = Promise.all(nodes.slice(NODES / 3).map(deliver));
  killWithItsPostgres(deployment.coordinator().pid);
  await deployment.restart();
  await rest;

  assert.equal(acknowledged.size, NODES);
  const after = await (await jobClient(baseUrl, user)).getJob(job.id);
  assert.equal(after.tasks.filter((task) => task.benchmark_results['quick_mark']?.state === 'completed').length, NODES);
  assert.equal(after.current_nodes, NODES);
  assert.equal(after.state, 'completed');
  for (const node of nodes) {
    const repeat = await node.results(node.quickMark(job.id, startedAt));
    assert.deepEqual([repeat.status, repeat.body['duplicate']], [200, true]);
  }
});

/** Repeats an idempotent call until it is acknowledged, as the agent does; any error or refusal means again. */
async function untilAcknowledged(call: () => Promise<boolean>): Promise<void> {
  // While the coordinator is down a call throws; the next round finds it again.
  await until('an answer that acknowledges', () => call().catch(() => false), RETRY_MS);
}
