import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueWork } from '../../../../coordinator/platform/work-queue/enqueue-work.ts';
import { countSetAside, type WorkHandler } from '../../../../coordinator/platform/work-queue/run-work-queue.ts';
import { until } from '../../../support/until.ts';
import { done, poll, setUp, startRunner } from './queue.ts';

test('a second failure of the same kind is the last: the item is set aside with its reason', async (t) => {
  const { platform, sql, clock, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  let tries = 0;
  const handler: WorkHandler = () => Promise.reject(new Error(`page ${(tries += 1)} is too long`));
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  await until('the work has come so far', async () => (await rows())[0]?.['error'] !== null);
  clock.advance({ seconds: 5 });
  await until('all work is done', async () => done(await rows()));
  await runner.stop();
  const [row] = await rows();
  assert.deepEqual([row?.['state'], row?.['error'], tries], ['failed', 'page 2 is too long', 2]);
  assert.equal(await countSetAside(platform), 1);
});

test("a customer's single report is not behind another's thousand, and customers take turns", async (t) => {
  const { platform, sql, rows } = await setUp(t);
  for (let subject = 1; subject <= 1000; subject += 1)
    await enqueueWork(sql, platform, { kind: 'task_report', subject_id: String(subject), customer_id: '666' });
  for (const customerId of ['1', '2'])
    await enqueueWork(sql, platform, { kind: 'task_report', subject_id: `${customerId}0000`, customer_id: customerId });
  // Each item of the first three is held until it is released, so that one claim at a time is open: two lanes that claim
  // freely begin their items in the order in which the answers arrive, not in the order of the claims.
  const held: { customer: string; release: () => void }[] = [];
  const begun: string[] = [];
  const ended = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const handler: WorkHandler = async (_context, { customer_id: customer }) => {
    begun.push(customer);
    if (customer === '666') most = Math.max(most, (atOnce += 1));
    if (begun.length <= 3) await new Promise<void>((release) => void held.push({ customer, release }));
    if (begun.length > 8) ended.resolve();
    await sql`select 1`;
    if (customer === '666') atOnce -= 1;
  };
  const runner = startRunner(t, { platform, handlers: { task_report: handler }, concurrency: 2, ...poll });
  await until('both lanes have an item', () => held.length === 2);
  held.find(({ customer }) => customer === '666')?.release();
  await until('the third item has begun', () => held.length === 3);
  assert.deepEqual(held.map(({ customer }) => customer).toSorted(), ['1', '2', '666']);
  for (const { release } of held) release();
  await ended.promise;
  await runner.stop();
  assert.equal(most, 1, 'one at a time of the customer with the thousand');
  assert.ok((await rows()).some(({ state }) => state === 'queued'));
});
