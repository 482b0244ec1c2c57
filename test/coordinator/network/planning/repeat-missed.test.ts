import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentNodes } from '../../../../coordinator/network/planning/repeat-missed.ts';

/** The links of node 0 with nine others, one every three seconds; those of the others do not matter. */
const planned = Array.from({ length: 9 }, (_, at) => ({ source: 0, target: at + 1 }));
const missedAt = (seconds: readonly number[]) =>
  seconds.map((second) => ({ ...planned[second / 3], starts_at: new Date(1000 * second) }) as MissedSlot);
type MissedSlot = Parameters<typeof absentNodes>[0][number];

test('a node that missed every slot over more than two plans is absent; one that missed a plan, or all but one, is not', () => {
  const all = [0, 3, 6, 9, 12, 15, 18, 21, 24];
  assert.deepEqual([...absentNodes(missedAt(all), planned)], [0]);
  assert.deepEqual([...absentNodes(missedAt(all.slice(1)), planned)], [], 'its first slot was measured');
  const short = all.filter((second) => second <= 18);
  // Seven links in 21 s are two plans and a slot of a third.
  assert.deepEqual([...absentNodes(missedAt(short), planned.slice(0, 7))], []);
});
