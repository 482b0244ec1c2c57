import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, double, property } from 'fast-check';
import type { Clock } from '../../../agent/run/host.ts';
import { CoordinatorClock } from '../../../agent/links/link-clock.ts';

/** A clock set by hand. */
function handClock(): Clock & { ms: number; wall: number } {
  const clock = {
    ms: 50_000,
    wall: 0,
    now: () => clock.wall,
    elapsed: () => clock.ms,
    monotonic: () => clock.ms,
    sleep: (ms: number) => Promise.resolve(void (clock.ms += ms)),
  };
  return clock;
}

/** The coordinator's clock is this far from our monotonic one. */
const OFFSET = 1_700_000_000_000;

/** Sent at `at`, in transit for `there` and `back` milliseconds. */
const sample = (at: number, there: number, back: number) => ({
  sent_ms: at,
  received_ms: at + there + back,
  coordinator_ms: at + there + OFFSET,
});

test('the error is at most half of the round trip, however asymmetric the path is', () => {
  const delay = double({ min: 0, max: 500, noNaN: true });
  holds(
    property(delay, delay, (there, back) => {
      const hand = handClock();
      const clock = new CoordinatorClock(hand);
      clock.note(sample(hand.ms, there, back));
      hand.ms += there + back;
      const off = Math.abs(clock.now_ms() - (hand.ms + OFFSET));
      return off <= (there + back) / 2 + 1e-3 && off <= clock.error_ms + 1e-3;
    }),
  );
});

test('of eight samples the one with the smallest round trip is used', () => {
  const hand = handClock();
  const clock = new CoordinatorClock(hand);
  const trips = [
    [9, 1],
    [40, 2],
    [0.5, 0.5],
    [3, 30],
    [1, 2],
    [8, 8],
    [2, 1],
    [1, 7],
  ] as const;
  for (const [there, back] of trips) {
    clock.note(sample(hand.ms, there, back));
    hand.ms += there + back;
  }
  // Half of 1 ms, and 100 millionths of the 56 ms since.
  assert.ok(Math.abs(clock.error_ms - 0.5) < 0.01, String(clock.error_ms));
  assert.ok(Math.abs(clock.now_ms() - hand.ms - OFFSET) < 1e-3);
});

test('an old sample is replaced by a worse one once it may have drifted further', () => {
  const hand = handClock();
  const clock = new CoordinatorClock(hand);
  clock.note(sample(hand.ms, 0.5, 0.5));
  hand.ms += 100_000;
  // 0.5 ms and 10 ms of drift against 4 ms.
  assert.ok(Math.abs(clock.error_ms - 10.5) < 0.01);
  clock.note(sample(hand.ms, 4, 4));
  assert.ok(Math.abs(clock.error_ms - 4) < 0.01);
  hand.ms += 1_000;
  clock.note(sample(hand.ms, 6, 6));
  assert.ok(clock.error_ms < 5, 'and is kept where it is the better one');
});

test('setting the wall clock has no effect', () => {
  const hand = handClock();
  const clock = new CoordinatorClock(hand);
  clock.note(sample(hand.ms, 1, 1));
  const before = clock.now_ms();
  hand.wall += 86_400_000;
  assert.equal(clock.now_ms(), before);
});

test('a coordinator whose clock was set is followed, although the old sample looked better', () => {
  const hand = handClock();
  const clock = new CoordinatorClock(hand);
  clock.note(sample(hand.ms, 0.1, 0.1));
  hand.ms += 1_000;
  const later = sample(hand.ms, 5, 5);
  clock.note({ ...later, coordinator_ms: later.coordinator_ms + 60_000 });
  assert.ok(Math.abs(clock.toCoordinator(hand.ms) - (hand.ms + OFFSET + 60_000)) <= 5);
});

test('times are converted for the runner and back without loss, and sleeps end at the coordinator’s time', async () => {
  const hand = handClock();
  const clock = new CoordinatorClock(hand);
  clock.note(sample(hand.ms, 1, 1));
  assert.equal(clock.toCoordinator(clock.toMonotonic(OFFSET + 60_000)), OFFSET + 60_000);
  await clock.sleepUntil(OFFSET + 60_000);
  assert.equal(Math.round(hand.ms), 60_000);
  await clock.sleepUntil(OFFSET);
  assert.equal(Math.round(hand.ms), 60_000);
});

test('before the first answer there is no time', () => {
  const clock = new CoordinatorClock(handClock());
  assert.equal(clock.error_ms, Number.POSITIVE_INFINITY);
  assert.throws(() => clock.now_ms(), /has not been synchronised/);
});
