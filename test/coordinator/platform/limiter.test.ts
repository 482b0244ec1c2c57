import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../../coordinator/platform/errors.ts';
import { limiter } from '../../../coordinator/platform/limiter.ts';

test('at most the given number run, the rest wait in order, and beyond the line it is unavailable at once', async () => {
  const slots = limiter({ atOnce: 2, waiting: 2 });
  const doors = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const entered: number[] = [];
  const results = doors.map((door, index) =>
    slots(() => {
      entered.push(index);
      return door.promise;
    }),
  );
  assert.deepEqual(entered, [0, 1]);
  await assert.rejects(
    slots(async () => 5),
    (error: unknown) => error instanceof DomainError && error.kind === 'unavailable',
  );
  doors[1]?.resolve(1);
  await results[1];
  doors[0]?.reject(new Error('a failed work frees its place too'));
  await assert.rejects(results[0] ?? Promise.resolve());
  doors[2]?.resolve(2);
  doors[3]?.resolve(3);
  assert.deepEqual(await Promise.all([results[2], results[3]]), [2, 3]);
  assert.deepEqual(entered, [0, 1, 2, 3]);
  assert.equal(await slots(async () => 6), 6);
});
