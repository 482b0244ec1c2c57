import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../../coordinator/platform/errors.ts';
import { limiter } from '../../../coordinator/platform/limiter.ts';

const isUnavailable = (error: unknown) => error instanceof DomainError && error.kind === 'unavailable';

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
    isUnavailable,
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

/** One that runs until `open`, and the order in which works began behind it. */
function occupied(limits: Parameters<typeof limiter>[0]) {
  const door = Promise.withResolvers<void>();
  const turns = limiter(limits);
  const began: string[] = [];
  const running = turns(() => door.promise);
  const stand = (key: string) => turns(async () => void began.push(key), key);
  return { began, stand, running, open: () => door.resolve() };
}

test('of one key at most its own number runs, and its others keep nobody from a free place', async () => {
  const run = limiter({ atOnce: 2, atOnceEach: 1, waiting: 9 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const task = (key: string) =>
    run(async () => {
      order.push(key);
      await new Promise<void>((end) => ends.push(end));
    }, key);
  const all = [task('a'), task('a'), task('b'), task('c')];
  assert.deepEqual(order, ['a', 'b']);
  for (let n = 0; n < all.length; n += 1) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  assert.deepEqual(order, ['a', 'b', 'a', 'c']);
});

test('lines take turns: one that comes once is second after one that came ten times before', async () => {
  const { began, stand, running, open } = occupied({ atOnce: 1, waiting: 20 });
  const standing = [...Array.from({ length: 10 }, () => stand('flood')), stand('once')];
  open();
  await Promise.all([running, ...standing]);
  assert.equal(began.indexOf('once'), 1);
});

test('a full line turns its own newcomers away, and the longest gives its last place to a shorter one', async () => {
  const { began, stand, running, open } = occupied({ atOnce: 1, waiting: 3, waitingEach: 3 });
  const flood = [stand('flood'), stand('flood'), stand('flood')];
  const outcomes = Promise.allSettled(flood);
  await assert.rejects(stand('flood'), isUnavailable);
  const once = stand('once');
  const outcome = flood[2] && (await flood[2].then(() => 'ran', isUnavailable));
  assert.equal(outcome, true);
  open();
  await Promise.all([running, once, outcomes]);
  assert.deepEqual(began, ['flood', 'once', 'flood']);
});
