import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { dearQuery } from '../../../../coordinator/platform/limits/dear-query.ts';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { testApp } from '../../../support/app.ts';
import { actorOf, makeUser } from '../../../support/client.ts';

suite('queries over stored days', async () => {
  const app = await testApp({ after }, { environment: { RATE_LIMITS: 'on' } });
  // basic: bursts of 60 (migration 0012)
  const contextOf = async () => ({ ...app.context, actor: await actorOf(app, await makeUser(app, { tier: 'basic' })) });
  const first = { num_per_page: 50, page_num: 1 };
  const refusalOf = (asked: Promise<unknown>): Promise<DomainError> =>
    asked.then(
      () => assert.fail('answered'),
      (error: unknown) => (error instanceof DomainError ? error : assert.fail(String(error))),
    );

  test('cost by what they read: 366 days and the last page as much as 21 short ones', async () => {
    const context = await contextOf();
    const dear = { days: 366, paginate: { num_per_page: 100, page_num: 100 } };
    for (let n = 0; n < 2; n += 1) assert.equal(await dearQuery(context, dear, async () => 'answer'), 'answer');
    // 2 x (366/30 + 9,900/1000) = 2 x 21 of 60 tokens; a third does not fit, and a short one does.
    const refused = await refusalOf(dearQuery(context, dear, async () => assert.fail('asked the database')));
    assert.equal(refused.kind, 'rate_limited');
    assert.ok((refused.retryAfterSeconds ?? 0) >= 1);
    const other = await contextOf();
    assert.equal(await dearQuery(other, { days: 29, paginate: first }, async () => 'answer'), 'answer');
  });

  test('a page beyond row 10,000 is refused with what to do instead', async () => {
    const context = await contextOf();
    const asked = (num_per_page: number, page_num: number) =>
      dearQuery(context, { days: 1, paginate: { num_per_page, page_num } }, async () => 'answer');
    assert.equal(await asked(100, 100), 'answer');
    for (const [size, page] of [
      [100, 101],
      [3, 3334],
      [1, 1_000_000],
    ] as const) {
      const { kind, message, fields } = await refusalOf(asked(size, page));
      assert.deepEqual([kind, fields[0]?.path], ['validation', ['body', 'paginate']]);
      assert.match(message, /row 10000 .*fewer days or more filters.*files/);
    }
  });

  test('a company has one at work and eight in line; another one does not wait for them', async () => {
    const [many, one] = [await contextOf(), await contextOf()];
    const running: (() => void)[] = [];
    const order: string[] = [];
    const ask = (context: typeof many, name: string) =>
      dearQuery(context, { days: 1, paginate: first }, async () => {
        order.push(name);
        await new Promise<void>((done) => running.push(done));
      });
    const asked = Array.from({ length: 10 }, (_, n) =>
      ask(many, `many ${n}`).then(
        () => 'answered',
        (error: unknown) => error,
      ),
    );
    const late = ask(one, 'one');
    // The tenth of one company has no place.
    const tenth = await asked[9];
    assert.ok(tenth instanceof DomainError && tenth.kind === 'rate_limited' && tenth.retryAfterSeconds === 2);
    while (order.length < 2) await new Promise(setImmediate);
    assert.deepEqual(order.toSorted(), ['many 0', 'one']);
    while (order.length < 10 || running.length > 0) {
      running.shift()?.();
      await new Promise(setImmediate);
    }
    await late;
    assert.deepEqual(
      (await Promise.all(asked.slice(0, 9))).filter((end) => end !== 'answered'),
      [],
    );
  });
});
