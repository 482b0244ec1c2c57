import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { deploy, root } from './deployment.ts';
import type { jobClient } from './job-client.ts';

const agent = join(root, 'dist', 'gpumark-agent');
const SPOOLED_WITHIN_MS = 90_000;

test('kill -9 of the agent after measuring: upload later delivers, counted once', async (t) => {
  const { folder, coordinator, customer } = await deploy(t);
  const job = await customer.createJob({ benchmarks: ['quick_mark'] });
  const env = { GPUMARK_API_KEY: job.token, GPUMARK_STATE_DIR: join(folder, 'agent') };

  const run = execa(agent, ['--json', '--max-seconds', '2'], { env, reject: false, detached: true, cleanup: true });
  await untilMeasuring(customer, job.id);
  // a coordinator that answers nothing: the agent measures on, spools, and waits for the upload's answer
  process.kill(coordinator.pid, 'SIGSTOP');
  try {
    await untilSpooled(join(folder, 'agent', 'spool'));
    process.kill(-(run.pid ?? 0), 'SIGKILL');
    await run;
  } finally {
    process.kill(coordinator.pid, 'SIGCONT');
  }

  const first = await execa(agent, ['upload'], { env, reject: false });
  assert.equal(first.exitCode, 0, first.stderr);
  const second = await execa(agent, ['upload'], { env, reject: false });
  assert.equal(second.exitCode, 0, second.stderr);
  const finished = await customer.waitForReport(job.id, 30_000);
  assert.equal(finished.tasks.length, 1);
  assert.equal(finished.tasks[0]?.benchmark_results['quick_mark']?.state, 'completed');
  assert.deepEqual(spooled(join(folder, 'agent', 'spool')), []);
});

async function untilMeasuring(customer: Awaited<ReturnType<typeof jobClient>>, jobId: string): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    if ((await customer.getJob(jobId)).tasks[0]?.state === 'running') return;
    await delay(100);
  }
  throw new Error('the agent did not begin to measure');
}

async function untilSpooled(folder: string): Promise<void> {
  const until = performance.now() + SPOOLED_WITHIN_MS;
  while (spooled(folder).length === 0) {
    assert.ok(performance.now() < until, 'the agent spooled its result');
    await delay(50);
  }
}

/** Finished spool entries; a file still being written has another ending. */
const spooled = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
