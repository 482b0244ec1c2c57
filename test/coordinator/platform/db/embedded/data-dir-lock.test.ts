import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'node:test';
import {
  isUnused,
  registerUser,
  withDataDirLock,
} from '../../../../../coordinator/platform/db/embedded/data-dir-lock.ts';
import { makeDataDir, removeDataDir } from '../../../../support/data-dir.ts';

test('work on one data directory never overlaps, whether it ends or fails', async (t) => {
  const dir = await makeDataDir();
  t.after(() => removeDataDir(dir));
  let working = 0;
  const most: number[] = [];
  const work = (at: number) =>
    withDataDirLock(dir, async () => {
      most.push((working += 1));
      await wait(5);
      working -= 1;
      if (at === 1) throw new Error('failed');
      return at;
    });
  const done = await Promise.allSettled([0, 1, 2, 3].map(work));
  assert.deepEqual(
    done.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')),
    [0, 'failed', 2, 3],
  );
  assert.deepEqual(most, [1, 1, 1, 1]);
});

test('a directory is unused once every user has left it, or it is gone', async (t) => {
  const dir = await makeDataDir();
  t.after(() => removeDataDir(dir));
  assert.equal(isUnused(dir), true);
  const leave = [registerUser(dir), registerUser(dir)];
  assert.equal(isUnused(dir), false);
  leave[0]?.();
  assert.equal(isUnused(dir), false);
  leave[1]?.();
  assert.equal(isUnused(dir), true);
  registerUser(dir);
  await removeDataDir(dir);
  assert.equal(isUnused(dir), true);
});
