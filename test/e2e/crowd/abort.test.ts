import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { at, getJob } from '../../coordinator/jobs/node.ts';
import { networkJob, networkResult, runAll } from '../../coordinator/network/network-job.ts';

const app = await testApp({ after }, { logLevel: 'info' });

test('an aborted job ends its run; the agents are told, and what was measured stays', async () => {
  const run = await networkJob(app, 8);
  const running = runAll(run);
  while (run.agents.some((agent) => agent.slots.size === 0)) await new Promise((resolve) => setTimeout(resolve, 20));
  const aborted = await call(app, 'POST', '/api/gpu-mark/v1/jobs/abort', {
    body: { id: run.job.id },
    headers: run.user.authorization,
  });
  assert.equal(aborted.status, 200, aborted.text);
  await running;
  for (const agent of run.agents) assert.match(agent.ended?.message ?? '', /the job was aborted/);
  const [row] = await app.platform.sql`select secret, state from network_run where job_id = ${run.job.id}`;
  assert.deepEqual({ ...row }, { secret: null, state: 'ended' });
  const results = at(networkResult(await getJob(app, run.user, run.job.id)), 'results');
  assert.ok(Number(at(results, 'rounds_s')) <= Number(at(results, 'duration_s')), 'what was planned ahead did not run');
  assert.deepEqual(at(results, 'links_failed'), {}, 'what was cut short has not failed');
  // an epoch is 10 s: five rounds of 2 s
  assert.match(JSON.stringify(at(results, 'notes')), /The run ended when 5 of 7 rounds were planned/);
});
