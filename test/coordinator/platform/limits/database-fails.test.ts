import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Ask } from '../../../../coordinator/platform/limits/queries.ts';
import { createRateLimiter } from '../../../../coordinator/platform/limits/rate-limiter.ts';

const rate = { perMinute: 60, burst: 5 };

const bucketOf = (id: string) => ({ kind: 'user', id }) as const;

/** A limiter by a clock of the test, over a database that the test lets answer, fail or be silent. */
function faulty() {
  const state = { time: 0, mode: 'fail' as 'answer' | 'fail' | 'silent', asked: 0 };
  const failures: unknown[] = [];
  const lend = (asks: readonly Ask[]): Promise<Answer[]> => {
    state.asked += 1;
    if (state.mode === 'silent') return new Promise(() => undefined);
    if (state.mode === 'fail') return Promise.reject(new Error('connection lost'));
    return Promise.resolve(asks.map(({ key }) => ({ key, granted: 0, left: 0 })));
  };
  const limiter = createRateLimiter({ lend, now: () => state.time, onAlone: (error) => failures.push(error) });
  const allowed = async (calls: number) => {
    const taken = await Promise.all(Array.from({ length: calls }, async () => limiter.take(bucketOf('key'), rate)));
    return taken.filter((one) => one.allowed).length;
  };
  return { state, failures, allowed };
}

test('while the database fails a process allows the same burst and rate by itself', async () => {
  const { state, failures, allowed } = faulty();
  assert.equal(await allowed(50), 5, 'the burst');
  assert.equal(await allowed(50), 0);
  state.time += 3000;
  assert.equal(await allowed(50), 3, 'one a second');
  assert.equal(failures.length, 1, 'said once');
});

test('it is asked again after five seconds, and its word counts from then on', async () => {
  const { state, failures, allowed } = faulty();
  await allowed(10);
  const before = state.asked;
  state.time = 4999;
  await allowed(10);
  assert.equal(state.asked, before);
  state.time = 10_000;
  state.mode = 'answer';
  assert.equal(await allowed(10), 0, 'others have used the bucket up');
  assert.equal(state.asked, before + 1);
  state.mode = 'fail';
  state.time = 20_000;
  await allowed(1);
  assert.equal(failures.length, 2, 'a new failure is said anew');
});

test('a database that is silent keeps nobody waiting', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { state, failures, allowed } = faulty();
  state.mode = 'silent';
  const answer = allowed(50);
  t.mock.timers.tick(1000);
  assert.equal(await answer, 5);
  assert.equal(failures.length, 1);
  // It is silent still: nobody waits for it a second time.
  state.time = 60_000;
  assert.equal(await allowed(50), 5, 'refilled to the burst in 60 s');
  assert.equal(state.asked, 1);
});
