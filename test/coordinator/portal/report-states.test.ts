import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { renderReport } from '../../../coordinator/reports/render-report.ts';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const { user, it: owner } = await signedIn(app);
const { it: colleague } = await signedIn(app, { company: await companyOf(user.userId) });
const { it: rival } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });
const stranger = browser(app);

async function companyOf(userId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select name from customer where id = (select customer_id from user_account where id = ${userId})`;
  return row?.name ?? assert.fail('no company');
}

/** What the page says of the report: in the list of steps, and among or below the buttons. */
async function reportOn(it: Browser, path: string): Promise<string[]> {
  // What a page shows without a change of the job is remembered for half a minute.
  app.clock.advance({ seconds: 31 });
  const page = await (await it.get(path)).text();
  const words = (markup: string): string =>
    markup
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const [, step = ''] = /<span>Report<\/span><\/span><span>([^]*?)<\/li>/.exec(page) ?? assert.fail(page);
  const [, region = ''] = /<div id="r-actions">([^]*?)<div id="r-progress">/.exec(page) ?? assert.fail(page);
  const [below = ''] = /<a[^>]*report\.pdf"[^>]*>[^<]*<\/a>|<p class="small muted">[^<]*<\/p>/.exec(region) ?? [''];
  return [words(step), words(below)];
}
/** As the work queue runs it. */
async function makeReport(jobId: string): Promise<void> {
  const work = { id: '1', kind: 'job_report', subject_id: jobId, customer_id: user.customerId } as const;
  await renderReport(app.context, { ...work, attempts: 1, error: null });
  await sql`update work_item set state = 'done', finished_at = ${app.clock.now()}
    where kind = 'job_report' and subject_id = ${jobId}`;
}
/** Its page loads again by itself as long as something may change. */
const isLive = async (id: string): Promise<boolean> =>
  (await (await owner.get(`/jobs/${id}`)).text()).includes('data-live=');

test('the report of a job opens as a PDF for its company, and is 404 for others, under a shared link, and before it is made', async () => {
  const job = await makeJob(app, user);
  await new Node(app, job).run();
  const path = `/jobs/${job.id}/report.pdf`;
  assert.equal((await owner.get(path)).status, 404, 'not made yet');
  await makeReport(job.id);
  for (const it of [owner, colleague]) {
    const answer = await it.get(path);
    assert.equal(answer.status, 303);
    const file = await app.app.request((answer.headers.get('location') ?? '').replace('http://coordinator.test', ''));
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'application/pdf']);
    assert.equal(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
  }
  const made = await (await owner.post(`/jobs/${job.id}/share`, { days: '7' })).text();
  const shared = /\/s\/[\w.-]+/.exec(made)?.[0] ?? assert.fail(made);
  assert.equal((await stranger.get(`${shared}/jobs/${job.id}`)).status, 200, 'the link is good');
  for (const it of [stranger, rival, owner]) assert.equal((await it.get(`${shared}${path}`)).status, 404);
  assert.equal((await rival.get(path)).status, 404);
  assert.equal((await stranger.get(path)).status, 401);
  assert.deepEqual(await reportOn(owner, `/jobs/${job.id}`), ['ready', 'Report (PDF)']);
  assert.deepEqual(await reportOn(stranger, `${shared}/jobs/${job.id}`), [
    'made, for the company alone',
    'The report names machines, so it does not come with a shared link.',
  ]);
});

test('a job says of its report whether it is to come, being made, made, could not be made, or will never be', async () => {
  const job = await makeJob(app, user);
  const path = `/jobs/${job.id}`;
  const toCome = ['when all nodes have delivered', 'The report (PDF) follows when the last node has delivered.'];
  assert.deepEqual(await reportOn(owner, path), toCome);
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  assert.deepEqual(await reportOn(owner, path), toCome);
  await node.deliver();
  await node.complete();
  const beingMade = ['being made', 'The report (PDF) is being made and appears here by itself.'];
  assert.deepEqual(await reportOn(owner, path), beingMade);
  assert.equal(await isLive(job.id), true);
  await sql`update work_item set state = 'failed', finished_at = ${app.clock.now()} where subject_id = ${job.id}`;
  assert.deepEqual(await reportOn(owner, path), [
    'none: it could not be made',
    'The report could not be made. The reason is in the log of the coordinator: ask its operator.',
  ]);
  assert.equal(await isLive(job.id), false, 'nothing more is to come');
});

test('a job whose node failed gets a report as well, and one that no node came to gets none', async () => {
  const failed = await makeJob(app, user);
  const node = new Node(app, failed);
  await node.register();
  await node.fail('failed');
  assert.equal((await reportOn(owner, `/jobs/${failed.id}`))[0], 'being made');
  assert.equal(await isLive(failed.id), true);
  await makeReport(failed.id);
  assert.deepEqual(await reportOn(owner, `/jobs/${failed.id}`), ['ready', 'Report (PDF)']);
  const empty = await makeJob(app, user);
  assert.equal((await owner.post(`/jobs/${empty.id}/abort`)).status, 303);
  assert.deepEqual(await reportOn(owner, `/jobs/${empty.id}`), [
    'none: no node joined',
    'There is no report: no node joined.',
  ]);
  assert.equal(await isLive(empty.id), false);
});
