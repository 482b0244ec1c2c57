import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { networkPaths, type NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { untilLocked } from '../../support/other-sessions.ts';
import { until } from '../../support/until.ts';
import { at, getJob } from '../../coordinator/jobs/node.ts';
import { join, networkJob, networkResult, runAll } from '../../coordinator/network/network-job.ts';
import type { SimulatedAgent } from '../../coordinator/network/simulated-agent.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const { sql } = app.platform;

async function begun(count: number) {
  const run = await networkJob(app, count);
  const running = runAll(run);
  const [agent] = run.agents as [SimulatedAgent];
  await until('slots', () => {
    assert.equal(agent.ended, null);
    return agent.slots.size > 0;
  });
  return { run, running, agent, jobId: run.job.id };
}

test('a report that is being stored when the job is aborted is in the summary', async () => {
  const { run, running, agent, jobId } = await begun(2);
  const [slot] = [...agent.slots.values()];
  assert.ok(slot);
  const report = JSON.stringify(agent.measured(slot));
  // settled for want of the reports before
  await sql`update network_link set status = 'no_report' where job_id = ${jobId}`;
  let aborting: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`update network_link set status = 'ok', source_report = ${report}::text::jsonb, target_report = ${report}::text::jsonb
      where job_id = ${jobId}`;
    aborting = call(app, 'POST', '/api/gpu-mark/v1/jobs/abort', {
      body: { id: jobId },
      headers: run.user.authorization,
    });
    await untilLocked(sql);
  });
  await aborting;
  await running;
  const results = at(networkResult(await getJob(app, run.user, jobId)), 'results');
  assert.deepEqual([at(results, 'total_links_tested'), at(results, 'links_failed')], [1, {}]);
});

test('a report that waits while the run ends changes nothing of it', async () => {
  const { running, agent, jobId } = await begun(2);
  const [slot] = [...agent.slots.values()];
  assert.ok(slot);
  let reporting: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`select from network_link where job_id = ${jobId} for no key update`;
    reporting = agent.call(networkPaths.report, { reports: [agent.measured(slot)] });
    await untilLocked(sql);
    await tx`update network_run set state = 'ended', outcome = 'failed', ended_at = clock_timestamp(), secret = null
      where job_id = ${jobId}`;
  });
  assert.deepEqual(at((await reporting) as never, 'body'), { acked: [slot.id], refused: [] });
  await running;
  const [row] = await sql`select source_report, target_report from network_link where job_id = ${jobId}`;
  assert.deepEqual({ ...row }, { source_report: null, target_report: null });
});

test('a dial that is told of while the preflight is judged is not stored', async () => {
  const run = await networkJob(app, 2);
  for (const node of run.nodes) await join(node);
  const jobId = run.job.id;
  const [agent] = run.agents as [SimulatedAgent];
  await sql`update network_run set state = 'preflight', due_at = now() + interval '1 hour' where job_id = ${jobId}`;
  const dial = { kind: 'dial', id: 'p.0.1', status: 'ok', stage: null, code: null, address: null, connect_us: 1 };
  let reporting: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`select from network_run where job_id = ${jobId} for no key update`;
    reporting = agent.call(networkPaths.report, { reports: [dial as NetworkReport] });
    await untilLocked(sql);
    await tx`update network_run set state = 'rounds' where job_id = ${jobId}`;
  });
  assert.equal(((await reporting) as { status: number }).status, 200);
  const rows = await sql`select dials from network_node where job_id = ${jobId} and dials > 0`;
  assert.equal(rows.length, 0);
});
