import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createArtifactStore } from '../../../coordinator/platform/artifacts/create-artifact-store.ts';
import { storeFile } from '../../../coordinator/platform/artifacts/store-file.ts';
import { sweepArtifacts } from '../../../coordinator/platform/artifacts/sweep-artifacts.ts';
import { renderReport } from '../../../coordinator/reports/render-report.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, signInAgain } from '../../support/client.ts';
import { at, getJob, makeJob, Node, textAt, type MadeJob } from './node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql, artifacts, config } = app.platform;
const user = await makeUser(app);
const pdf = { contentType: 'application/pdf', extension: 'pdf' };
const statusOf = async (url: string) => (await app.app.request(url.replace('http://coordinator.test', ''))).status;
const fileOf = (key: string) => join(config.dataDir, 'artifacts', key);
const remove = (job: MadeJob) =>
  call(app, 'DELETE', '/api/gpu-mark/v1/jobs/delete', { body: { id: job.id }, headers: user.authorization });
const keysOf = async (jobId: string) =>
  (await sql<{ key: string }[]>`select distinct storage_key as key from artifact where job_id = ${jobId}`).map(
    ({ key }) => key,
  );

const render = (id: string, kind: 'job_report' | 'task_report', subjectId: string, context = app.context) =>
  renderReport(context, { id, kind, subject_id: subjectId, attempts: 1, customer_id: user.customerId, error: null });

/** A job that has ended, with its report and on demand that of its node. */
async function reported({ nodeToo = false } = {}) {
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.run();
  await render('1', 'job_report', job.id);
  if (nodeToo) await render('2', 'task_report', node.taskId);
  const detail = await getJob(app, user, job.id);
  const urls = [textAt(detail, 'pdf_report_url'), ...(nodeToo ? [textAt(detail, 'tasks', 0, 'pdf_report_url')] : [])];
  return { job, urls, keys: await keysOf(job.id) };
}

test('404: signed links of a deleted job open nothing at once, and the sweep takes their files and leaves the others', async () => {
  const gone = await reported({ nodeToo: true });
  const kept = await reported({ nodeToo: true });
  assert.deepEqual(await Promise.all(gone.urls.map(statusOf)), [200, 200]);
  assert.equal((await remove(gone.job)).status, 200);
  assert.deepEqual(await Promise.all(gone.urls.map(statusOf)), [404, 404]);
  assert.ok(
    gone.keys.every((key) => existsSync(fileOf(key))),
    'before the sweep',
  );
  assert.equal(await sweepArtifacts(app.context), 2);
  assert.ok(gone.keys.every((key) => !existsSync(fileOf(key))));
  assert.deepEqual(await Promise.all(gone.urls.map(statusOf)), [404, 404]);
  assert.deepEqual(await Promise.all(kept.urls.map(statusOf)), [200, 200]);
  app.clock.advance({ minutes: 59 });
  assert.equal(await sweepArtifacts(app.context), 0);
  app.clock.advance({ minutes: 2 });
  await signInAgain(app, user);
  assert.equal(await sweepArtifacts(app.context), 0, 'what was written down before it was stored is named by now');
  assert.equal(await statusOf(textAt(await getJob(app, user, kept.job.id), 'pdf_report_url')), 200);
});

test('a report that was rendered anew goes with its job in all its versions', async () => {
  const { job, urls, keys } = await reported();
  await sql`update job set name = 'drawn anew' where id = ${job.id}`;
  await render('3', 'job_report', job.id);
  assert.equal((await keysOf(job.id)).length, keys.length + 1);
  assert.equal(await statusOf(urls[0] ?? ''), 200, 'a link to the version before still opens');
  await remove(job);
  assert.equal(await statusOf(urls[0] ?? ''), 404);
  assert.equal(await sweepArtifacts(app.context), 2);
});

test('a process that dies between file and row, or between file and list, leaves nothing for ever', async () => {
  const { key } = await storeFile(app.context, Buffer.from('%PDF of a renderer that was killed'), pdf);
  assert.equal(await sweepArtifacts(app.context), 0, 'the renderer may still be at it');
  app.clock.advance({ minutes: 61 });
  await signInAgain(app, user);
  assert.equal(await sweepArtifacts(app.context), 1);
  assert.ok(!existsSync(fileOf(key)));
  // The sweep died after taking the file: it is done once more.
  await sql`insert into artifact_removal (storage_key, due_at) values (${key}, ${app.clock.now()})`;
  assert.equal(await sweepArtifacts(app.context), 1);
  assert.equal((await sql`select from artifact_removal where storage_key = ${key}`).count, 0);
});

test('a report that comes after its job was deleted is nobody’s, and goes', async () => {
  const { job } = await reported();
  // The renderer has read the job; it is deleted while the page is drawn.
  const context = {
    ...app.context,
    artifacts: {
      ...artifacts,
      put: async (...given: Parameters<typeof artifacts.put>) => {
        await remove(job);
        return artifacts.put(...given);
      },
    },
  };
  await sql`update job set name = 'drawn anew' where id = ${job.id}`;
  await render('4', 'job_report', job.id, context);
  assert.deepEqual(await keysOf(job.id), []);
  app.clock.advance({ minutes: 61 });
  await signInAgain(app, user);
  assert.equal(await sweepArtifacts(app.context), 2);
});

test('equal bytes of another job keep the file', async () => {
  const [one, two] = [await reported(), await reported()];
  const shared = two.keys[0] ?? '';
  await sql`update artifact set storage_key = ${shared} where job_id = ${one.job.id} and kind = 'job_report'`;
  await remove(one.job);
  await sweepArtifacts(app.context);
  assert.ok(existsSync(fileOf(shared)));
  assert.deepEqual(await Promise.all(two.urls.map(statusOf)), [200]);
});

test('a file that cannot be removed is logged and tried again, and does not stand in the way of the others', async () => {
  const [one, two] = [await reported(), await reported()];
  const stuck = one.keys[0] ?? '';
  const failing = {
    ...app.context,
    artifacts: {
      ...artifacts,
      remove: async (key: string) => {
        if (key === stuck) throw new Error('read-only');
        await artifacts.remove(key);
      },
    },
  };
  await remove(one.job);
  await remove(two.job);
  assert.equal(await sweepArtifacts(failing), 1);
  assert.ok(app.logLines().some(({ artifact }) => artifact === stuck));
  assert.equal(await sweepArtifacts(app.context), 1);
});

test('what a killed process was writing is removed at the start once it is a day old', async () => {
  const [old, young] = ['incoming-old', 'incoming-young'].map((name) => fileOf(name));
  assert.ok(old !== undefined && young !== undefined);
  for (const path of [old, young]) await writeFile(path, 'half a report');
  const now = app.clock.now();
  await utimes(old, now, new Date(now.getTime() - 25 * 3_600_000));
  await utimes(young, now, now);
  await createArtifactStore(config, app.platform);
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
});

test('DELETE keeps 400 while it runs, 403 for another customer and 404 for no such job', async () => {
  const job = await makeJob(app, user);
  await new Node(app, job).register();
  assert.equal((await remove(job)).status, 400);
  const stranger = await makeUser(app);
  const headers = stranger.authorization;
  const path = '/api/gpu-mark/v1/jobs/delete';
  assert.equal((await call(app, 'DELETE', path, { body: { id: job.id }, headers })).status, 403);
  assert.equal((await call(app, 'DELETE', path, { body: { id: '1' }, headers })).status, 404);
  assert.equal(at(await getJob(app, user, job.id), 'state'), 'running');
});
