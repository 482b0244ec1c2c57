import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cache, shortCache } from '../../../coordinator/platform/cache.ts';
import { testClock } from '../../support/clock.ts';

function counted(maxEntries = 10) {
  const clock = testClock(new Date(0));
  const loads: string[] = [];
  let fail = false;
  const read = shortCache({ lifetimeMs: 5000, maxEntries, now: clock.now }, async (key) => {
    loads.push(key);
    if (fail) throw new Error('the database is away');
    return `${key}!`;
  });
  return { clock, loads, read, setFail: (value: boolean) => void (fail = value) };
}

test('an answer is kept for its lifetime and not longer', async () => {
  const { clock, loads, read } = counted();
  assert.equal(await read('a'), 'a!');
  clock.advance({ seconds: 4.999 });
  await read('a');
  assert.deepEqual(loads, ['a']);
  clock.advance({ seconds: 0.001 });
  await read('a');
  assert.deepEqual(loads, ['a', 'a']);
});

test('callers at the same time share one load', async () => {
  const { loads, read } = counted();
  await Promise.all([read('a'), read('a'), read('a')]);
  assert.deepEqual(loads, ['a']);
});

test('a failure is not kept', async () => {
  const { loads, read, setFail } = counted();
  setFail(true);
  await assert.rejects(read('a'));
  setFail(false);
  assert.equal(await read('a'), 'a!');
  assert.equal(loads.length, 2);
});

test('the oldest entry makes room', async () => {
  const { loads, read } = counted(2);
  for (const key of ['a', 'b', 'c', 'b', 'a']) await read(key);
  assert.deepEqual(loads, ['a', 'b', 'c', 'a']);
});

test('an absence is not kept, and is still shared by callers at the same time', async () => {
  const there = new Map<string, string | null>();
  let loads = 0;
  const read = shortCache({ lifetimeMs: 5000, maxEntries: 10, now: () => new Date(0) }, (key: string) => {
    loads += 1;
    return Promise.resolve(there.get(key));
  });
  assert.deepEqual(await Promise.all([read('a'), read('a')]), [undefined, undefined]);
  there.set('a', null);
  assert.equal(await read('a'), null);
  there.set('a', 'here');
  assert.equal(await read('a'), 'here');
  await read('a');
  assert.equal(loads, 3);
});

test('of more keys than fit, those that were asked for last stay, and a changed value is not a newcomer', () => {
  const cache = new Cache<number, string>(3);
  for (const key of [1, 2, 3]) cache.set(key, String(key));
  assert.equal(cache.get(1), '1');
  cache.set(2, 'two');
  cache.set(4, '4');
  assert.deepEqual([...cache.values()], ['1', 'two', '4']);
  assert.equal(cache.get(3), undefined);
  assert.equal(cache.size, 3);
});

test('a value is gone from its time on, and stays gone', () => {
  const cache = new Cache<string, string>(3);
  cache.set('a', 'here', 100);
  assert.equal(cache.get('a', 99), 'here');
  assert.equal(cache.get('a', 100), undefined);
  assert.equal(cache.get('a'), undefined);
});
