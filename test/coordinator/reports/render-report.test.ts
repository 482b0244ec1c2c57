import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderReport, workHandlers } from '../../../coordinator/reports/render-report.ts';
import { runWorkQueue } from '../../../coordinator/platform/work-queue/run-work-queue.ts';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import { at, getJob, makeJob, Node } from '../jobs/node.ts';
import { pdfText } from './pdf-text.ts';

const now = new Date('2026-11-21T12:00:00Z');

test('a job that ends gets its reports from the queue, and their links open as PDF', async (t) => {
  const app = await testApp(t, { now });
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.register();
  await node.beat('measuring');
  await node.deliver();
  await node.complete();
  assert.equal(at(await getJob(app, user, job.id), 'pdf_report_url'), null);

  const queue = runWorkQueue({ platform: app.platform, handlers: workHandlers, concurrency: 2, pollSeconds: 0.05 });
  t.after(() => queue.stop());
  const open = () => app.platform.sql`select from work_item where state in ('queued', 'running')`;
  await until('the queue is done', async () => (await open()).length === 0);
  await queue.stop();
  const items = await app.platform.sql`
    select kind, state, error from work_item where customer_id = ${user.customerId} order by kind`;
  assert.deepEqual(
    items.map(({ kind, state, error }) => ({ kind, state, error })),
    [
      { kind: 'job_report', state: 'done', error: null },
      { kind: 'task_report', state: 'done', error: null },
    ],
  );

  const done = await getJob(app, user, job.id);
  for (const [url, words] of [
    [at(done, 'pdf_report_url'), 'Job report'],
    [at(done, 'tasks', 0, 'pdf_report_url'), 'Node report'],
  ]) {
    assert.ok(typeof url === 'string' && typeof words === 'string', JSON.stringify(done));
    const response = await app.app.request(url.replace('http://coordinator.test', ''));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    const text = pdfText(Buffer.from(await response.arrayBuffer()));
    assert.ok(text.includes(words) && text.includes('Completed') && text.includes('715.0'), text.slice(0, 600));
  }
});

test('a report asked for twice is the same file; a deleted subject is not a failure', async (t) => {
  const app = await testApp(t, { now });
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  const item = {
    id: '1',
    kind: 'job_report' as const,
    subject_id: job.id,
    customer_id: user.customerId,
    attempts: 1,
    error: null,
  };
  await renderReport(app.context, item);
  await renderReport(app.context, item);
  const artifacts = await app.platform.sql`
    select storage_key, file_name from artifact where customer_id = ${user.customerId}`;
  assert.equal(artifacts.length, 2);
  assert.equal(new Set(artifacts.map(({ storage_key }) => storage_key)).size, 1);
  assert.equal(artifacts[0]?.['file_name'], `gpumark-job-${job.id}.pdf`);
  await renderReport(app.context, { ...item, subject_id: '999' });
  assert.equal((await app.platform.sql`select from artifact where customer_id = ${user.customerId}`).length, 2);
});
