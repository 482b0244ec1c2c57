import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, double, nat, property } from 'fast-check';
import type { Clock, RandomSource } from '../../../agent/run/host.ts';
import { AnswerError, NoAnswerError } from '../../../agent/client/call-errors.ts';
import { passingTrouble, retryDelay, withRetries } from '../../../agent/client/retry.ts';

/** A clock that only sleeping moves. */
function stepClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  const elapsed = (): number => slept.reduce((sum, ms) => sum + ms, 0);
  return { slept, now: elapsed, elapsed, monotonic: elapsed, sleep: (ms) => Promise.resolve(void slept.push(ms)) };
}

const drawing = (fraction: number): RandomSource => ({ fraction: () => fraction, hex: () => '', uuid: () => '' });
const silent = (): Promise<never> => Promise.reject(new NoAnswerError('silence'));

test('back-off is uniform from zero up to 0.5 s doubling to 8 s', () => {
  const policy = passingTrouble(60_000);
  holds(
    property(nat(40), double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tries, fraction) => {
      const delay = retryDelay(policy, tries, new NoAnswerError('x'), drawing(fraction));
      return delay >= 0 && delay < Math.min(8_000, 500 * 2 ** tries) + 1e-9;
    }),
  );
});

test('a Retry-After is never undercut', async () => {
  const clock = stepClock();
  let tries = 0;
  await withRetries(passingTrouble(60_000), { clock, random: drawing(0.5) }, () => {
    tries += 1;
    return tries < 3 ? Promise.reject(new AnswerError(429, 'TOO_MANY', 'slow down', 7_000)) : Promise.resolve();
  });
  assert.deepEqual(clock.slept, [7_250, 7_250]);
});

test('no attempt starts after the budget, whatever the jitter', async () => {
  for (const fraction of [0.1, 0.5, 0.99]) {
    const clock = stepClock();
    await assert.rejects(
      withRetries(passingTrouble(60_000), { clock, random: drawing(fraction) }, silent),
      NoAnswerError,
    );
    assert.ok(clock.elapsed() <= 60_000 && clock.elapsed() > 50_000, `${clock.elapsed()}`);
  }
});

test('a Retry-After beyond the budget ends the retries at once', async () => {
  const clock = stepClock();
  const busy = (): Promise<never> => Promise.reject(new AnswerError(503, 'BUSY', 'later', 3_600_000));
  await assert.rejects(withRetries(passingTrouble(60_000), { clock, random: drawing(0.5) }, busy), AnswerError);
  assert.deepEqual(clock.slept, []);
});

test('400, 401, 404, 409 and 413 are final; 408, 429 and 5xx are not', async () => {
  for (const [status, tries] of [
    [400, 1],
    [401, 1],
    [404, 1],
    [409, 1],
    [413, 1],
    [408, 2],
    [429, 2],
    [500, 2],
    [503, 2],
  ] as const) {
    let made = 0;
    const attempt = (): Promise<void> => {
      made += 1;
      return made === 1 ? Promise.reject(new AnswerError(status, 'X', 'x', null)) : Promise.resolve();
    };
    await withRetries(passingTrouble(10_000), { clock: stepClock(), random: drawing(0.5) }, attempt).catch(
      () => undefined,
    );
    assert.equal(made, tries, `${status}`);
  }
});

test('an abort ends the retries without another attempt', async () => {
  const stop = new AbortController();
  let made = 0;
  const attempt = (): Promise<never> => {
    made += 1;
    stop.abort();
    return silent();
  };
  await assert.rejects(
    withRetries(passingTrouble(60_000), { clock: stepClock(), random: drawing(0.5), signal: stop.signal }, attempt),
  );
  assert.equal(made, 1);
});
