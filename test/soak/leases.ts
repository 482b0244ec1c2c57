import assert from 'node:assert/strict';
import { deploy } from '../e2e/deployment.ts';
import { ProtocolNode } from '../e2e/protocol-node.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { runCases } from '../support/run-cases.ts';
import { until } from '../support/until.ts';

/** Leases of a real coordinator in real time; test/coordinator/lifecycle/leases.test.ts sets the clock by hand instead. */
const NOTICED_WITHIN_MS = 50_000;
const LEASE_MS = 45_000;
/** A heartbeat's answer arrives at most this long after the coordinator received it. */
const CALL_MS = 2_000;

async function silentNode(t: Lifetime): Promise<void> {
  const { baseUrl, customer } = await deploy(t);
  const job = await customer.createJob({ benchmarks: ['quick_mark'] });
  const node = new ProtocolNode(baseUrl, job.token);
  assert.equal((await node.register()).status, 200);
  assert.equal((await node.heartbeat('measuring')).status, 200);

  const silentSince = performance.now();
  const task = async () => (await customer.getJob(job.id)).tasks[0];
  await until('the node is lost', async () => (await task())?.state === 'lost', 100);
  const noticedMs = performance.now() - silentSince;
  assert.ok(noticedMs <= NOTICED_WITHIN_MS, `noticed after ${Math.round(noticedMs)} ms`);
  assert.ok(noticedMs >= LEASE_MS - CALL_MS, `the lease was cut to ${Math.round(noticedMs)} ms`);

  assert.equal((await node.results(node.quickMark(job.id, new Date()))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const ended = await task();
  assert.deepEqual([ended?.state, ended?.benchmark_results['quick_mark']?.state], ['completed', 'completed']);
}

await runCases('leases', [
  { title: 'a node that stops its heartbeats is lost within 50 s, and its late result still counts', run: silentNode },
]);
