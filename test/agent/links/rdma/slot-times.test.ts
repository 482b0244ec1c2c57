import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsSlot, OVERLAP_MS, planTimes } from '../../../../agent/links/rdma/slot-times.ts';
import { slotOf } from './support/two-ends.ts';

const timesOf = (slot_ms: number) => {
  const slot = slotOf({ slot_ms, starts_at_ms: 1_000_000 });
  return { slot, times: planTimes(slot) };
};

test('by default, 5 s, the directions overlap and latency has 1.5 s; from 10 s on they run in sequence', () => {
  assert.deepEqual(timesOf(5000).times, { ping_until_ms: 1_001_500, overlapped: true, deadline_ms: 1_004_850 });
  assert.equal(timesOf(9999).times?.overlapped, true);
  assert.equal(timesOf(10_000).times?.overlapped, false);
  assert.equal(timesOf(4499).times, null);
});

test('the measured second of the reverse direction begins after that of forward, including the sleep of both', () => {
  // There: sleep 1,000, then 1,000 measured. Back: begins OVERLAP_MS later and sleeps as long.
  const thereEnds = 1000 + 1000;
  const backBegins = OVERLAP_MS + 1000;
  assert.equal(backBegins - thereEnds, 200);
});

test('a check fits if setup, both directions and the rest fit', () => {
  // 1,250 + 1,200 + (took + 1,000) + 150 <= 5,000 up to 1,400 ms.
  const { slot, times } = timesOf(5000);
  assert.ok(times !== null);
  assert.deepEqual([fitsSlot(slot, times, 1400), fitsSlot(slot, times, 1401)], [true, false]);
  // 1,250 + 2 * (took + 1,000) + 150 <= 10,000 up to 3,300 ms.
  const long = timesOf(10_000);
  assert.ok(long.times !== null);
  assert.deepEqual([fitsSlot(long.slot, long.times, 3300), fitsSlot(long.slot, long.times, 3301)], [true, false]);
});
