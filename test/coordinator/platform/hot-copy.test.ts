import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotAnswers } from '../../../coordinator/platform/hot-copy.ts';

test('the same request gets the same object, another operation or request its own', async () => {
  const answers = hotAnswers();
  let made = 0;
  const ask = (operation: string, request: object) => answers(operation, request, () => ({ number: (made += 1) }));
  const first = await ask('latest', { page_num: 1 });
  assert.equal(await ask('latest', { page_num: 1 }), first);
  assert.notEqual(await ask('latest', { page_num: 2 }), first);
  assert.notEqual(await ask('history', { page_num: 1 }), first);
  assert.equal(made, 3);
});

test('a failure is not kept', async () => {
  const answers = hotAnswers();
  const broken = (): Promise<object> => Promise.reject(new Error('the database is away'));
  await assert.rejects(answers('history', {}, broken), /is away/);
  assert.deepEqual(await answers('history', {}, () => ({ total: 0 })), { total: 0 });
});

test('of more requests than it keeps, those that were asked for last stay', async () => {
  const answers = hotAnswers();
  let made = 0;
  const ask = (page: number) => answers('latest', { page }, () => ({ number: (made += 1) }));
  for (let page = 0; page < 1000; page += 1) await ask(page);
  await ask(0);
  await ask(1000);
  await ask(0);
  assert.equal(made, 1001, 'page 0 was asked for again and stayed');
  await ask(1);
  assert.equal(made, 1002, 'page 1 made room');
});
