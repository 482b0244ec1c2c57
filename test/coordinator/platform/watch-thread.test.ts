import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { watchThread } from '../../../coordinator/platform/watch-thread.ts';

async function threadOf(t: TestContext, code: string): Promise<Worker> {
  const worker = new Worker(code, { eval: true });
  t.after(() => worker.terminate());
  await once(worker, 'online');
  return worker;
}

const lateAfter = (worker: Worker, seconds: number): Promise<void> =>
  new Promise((late) => void watchThread(worker, seconds, late));

test('a thread that computes is late once it has computed for its seconds', async (t) => {
  const worker = await threadOf(t, 'for (;;);');
  const before = await worker.cpuUsage();
  await lateAfter(worker, 0.1);
  const { user, system } = await worker.cpuUsage();
  assert.ok(user + system - before.user - before.system >= 100_000);
});

test('a thread that waits is late only after ten times its seconds', async (t) => {
  const worker = await threadOf(t, 'setInterval(() => undefined, 1_000_000)');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let isLate = false;
  watchThread(worker, 30, () => (isLate = true));
  t.mock.timers.tick(299_999);
  assert.equal(isLate, false);
  t.mock.timers.tick(1);
  assert.equal(isLate, true);
});

test('the end of a watch is the end of it', async (t) => {
  const worker = await threadOf(t, 'setInterval(() => undefined, 1_000_000)');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  watchThread(worker, 30, () => assert.fail('it was over'))();
  t.mock.timers.tick(1_000_000);
});
