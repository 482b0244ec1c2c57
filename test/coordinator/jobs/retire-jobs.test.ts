import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { retireJobs } from '../../../coordinator/jobs/delete-job.ts';
import { sweepArtifacts } from '../../../coordinator/platform/artifacts/sweep-artifacts.ts';
import { renderReport } from '../../../coordinator/reports/render-report.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, signInAgain } from '../../support/client.ts';
import { makeJob, Node } from './node.ts';

test('with KEEP_JOBS_DAYS a job goes that long after its end, with its files; one that runs stays', async () => {
  const app = await testApp(
    { after },
    { now: new Date('2026-11-21T12:00:00Z'), environment: { KEEP_JOBS_DAYS: '30' } },
  );
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  const open = await makeJob(app, user);
  await new Node(app, job).run();
  const item = { id: '1', attempts: 1, customer_id: user.customerId, error: null };
  await renderReport(app.context, { ...item, kind: 'job_report', subject_id: job.id });
  const statusOf = async (id: string) =>
    (await call(app, 'GET', `/api/gpu-mark/v1/jobs/${id}`, { headers: user.authorization })).status;
  app.clock.advance({ days: 30 });
  assert.equal(await retireJobs(app.context), 0);
  app.clock.advance({ hours: 1 });
  assert.equal(await retireJobs(app.context), 1);
  assert.equal(await retireJobs(app.context), 0);
  await signInAgain(app, user);
  assert.deepEqual([await statusOf(job.id), await statusOf(open.id)], [404, 200]);
  assert.equal(await sweepArtifacts(app.context), 1);
});

test('without it jobs stay for ever', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  await new Node(app, await makeJob(app, user)).run();
  app.clock.advance({ days: 4000 });
  assert.equal(await retireJobs(app.context), 0);
});
