import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { deploy } from './deployment.ts';
import { ProtocolNode } from './protocol-node.ts';

const NOTICED_WITHIN_MS = 50_000;

test('a node that stops beating is lost within 50 s, and its late result still counts', async (t) => {
  const { coordinator, customer } = await deploy(t);
  const job = await customer.createJob({ benchmarks: ['quick_mark'] });
  const node = new ProtocolNode(coordinator.baseUrl, job.token);
  assert.equal((await node.register()).status, 200);
  assert.equal((await node.heartbeat('measuring')).status, 200);

  const silentSince = performance.now();
  let state = '';
  while (state !== 'lost' && performance.now() - silentSince < NOTICED_WITHIN_MS + 5_000) {
    state = (await customer.getJob(job.id)).tasks[0]?.state ?? '';
    if (state !== 'lost') await delay(250);
  }
  const noticedAfter = performance.now() - silentSince;
  assert.equal(state, 'lost');
  assert.ok(noticedAfter <= NOTICED_WITHIN_MS, `noticed after ${Math.round(noticedAfter)} ms`);
  assert.ok(noticedAfter >= 40_000, 'the lease was respected');

  assert.equal((await node.results(node.quickMark(job.id, new Date()))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const task = (await customer.getJob(job.id)).tasks[0];
  assert.equal(task?.state, 'completed');
  assert.equal(task.benchmark_results['quick_mark']?.state, 'completed');
});
