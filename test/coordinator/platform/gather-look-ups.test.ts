import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherLookUps } from '../../../coordinator/platform/look-ups.ts';

function counted({ mostKeys = 100, mostWaiting = 10_000 } = {}) {
  const looks: string[][] = [];
  const there = new Set<string>();
  let fail = false;
  const has = gatherLookUps({ mostKeys, mostWaiting, pauseMs: 1 }, (keys) => {
    looks.push(keys);
    return fail ? Promise.reject(new Error('the database is away')) : Promise.resolve(new Set(there));
  });
  return { looks, there, has, setFail: (value: boolean) => void (fail = value) };
}

test('a thousand strange keys at the same moment cost one look and one for each full hundred behind it', async () => {
  const { looks, has } = counted();
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => has(`key-${n}`)));
  assert.ok(answers.every((answer) => !answer));
  assert.deepEqual(
    looks.map((keys) => keys.length),
    [1, ...Array.from({ length: 9 }, () => 100), 99],
  );
});

test('one key asked for a thousand times is looked for twice: once for the first, once for all who came meanwhile', async () => {
  const { looks, has } = counted();
  await Promise.all(Array.from({ length: 1000 }, () => has('same')));
  assert.deepEqual(looks, [['same'], ['same']]);
});

test('an absence is not remembered, and no look that had begun before answers', async () => {
  const { there, has } = counted();
  const early = has('new');
  there.add('new');
  assert.deepEqual(await Promise.all([early, has('new')]), [false, true]);
  there.delete('new');
  assert.equal(await has('new'), false);
});

test('a failed look fails those who asked, and the next is made', async () => {
  const { has, setFail } = counted();
  setFail(true);
  await assert.rejects(has('a'), /away/);
  setFail(false);
  assert.equal(await has('a'), false);
});

test('more callers than may wait are told to come again', async () => {
  const { has } = counted({ mostWaiting: 2 });
  const waiting = [has('a'), has('b'), has('c')];
  await assert.rejects(has('d'), { kind: 'unavailable', retryAfterSeconds: 1 });
  assert.deepEqual(await Promise.all(waiting), [false, false, false]);
});
