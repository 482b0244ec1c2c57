import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { watchThread } from '../../../coordinator/platform/watch-thread.ts';

async function threadOf(t: TestContext, code: string): Promise<Worker> {
  const worker = new Worker(code, { eval: true });
  t.after(() => worker.terminate());
  await once(worker, 'online');
  return worker;
}

test('a thread that computes is late once it has computed for its seconds, however long it waited for a core', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Seconds of a core at each look: a third of the time it had one.
  const seconds = [5, 15, 21, 33, 35.5];
  let isLate = false;
  const cpuUsage = () => Promise.resolve({ user: 1e6 * (seconds.shift() ?? 99), system: 0 });
  watchThread({ cpuUsage }, 30, () => (isLate = true));
  // After 30 s it has computed for 10; after the 20 that are left for 16, then for 28: 2 are left.
  for (const [wait, left] of [
    [30, 3],
    [20, 2],
    [14, 1],
  ] as const) {
    t.mock.timers.tick(wait * 1000 - 1);
    await setImmediate();
    t.mock.timers.tick(1);
    await setImmediate();
    assert.deepEqual([seconds.length, isLate], [left, false]);
  }
  t.mock.timers.tick(2000);
  await setImmediate();
  assert.equal(isLate, true);
});

test('what a thread has computed is read from the system', async (t) => {
  const worker = await threadOf(t, 'for (;;);');
  await new Promise<void>((late) => void watchThread(worker, 0.05, late));
  assert.ok((await worker.cpuUsage()).user > 0);
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
