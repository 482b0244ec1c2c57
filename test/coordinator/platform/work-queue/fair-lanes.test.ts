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
  const begun: string[] = [];
  const ended = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const handler: WorkHandler = async (_context, { customer_id }) => {
    begun.push(customer_id);
    if (customer_id === '666') most = Math.max(most, (atOnce += 1));
    if (begun.length > 8) ended.resolve();
    await sql`select 1`;
    if (customer_id === '666') atOnce -= 1;
  };
  const runner = startRunner(t, { platform, handlers: { task_report: handler }, concurrency: 2, ...poll });
  await ended.promise;
  await runner.stop();
  assert.deepEqual(begun.slice(0, 3).toSorted(), ['1', '2', '666']);
  assert.equal(most, 1, 'one at a time of the customer with the thousand');
  assert.ok((await rows()).some(({ state }) => state === 'queued'));
});
