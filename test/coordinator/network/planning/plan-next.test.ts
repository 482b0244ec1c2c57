import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { giveUp, planNext } from '../../../../coordinator/network/planning/plan-next.ts';
import { createLayouts } from '../../../../coordinator/network/planning/layout.ts';
import { markReturned, readRun, readRunSeen } from '../../../../coordinator/network/queries/runs.ts';
import { testApp } from '../../../support/app.ts';
import { ITEM, join, networkJob } from '../network-job.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const { sql, log } = app.platform;
const planner = { sql, log, now: () => new Date(), layouts: createLayouts() };

test('an absence of the coordinator over the end of the join window loses no node that comes back', async () => {
  const run = await networkJob(app, 3, { nodeCount: 4 });
  for (const node of run.nodes) await join(node);
  const key = { jobId: run.job.id, item: ITEM };
  await sql`update task_lease set expires_at = now() - interval '1 minute' where task_id not in (select task_id from network_node)`;
  await sql`update network_node set joined_at = joined_at - interval '30 s' where job_id = ${key.jobId}`;
  await sql`update network_seen set seen_at = seen_at - interval '20 s' where job_id = ${key.jobId}`;
  await sql`update network_run set created_at = created_at - interval '150 s', due_at = due_at - interval '130 s',
    joining_ends_at = joining_ends_at - interval '130 s' where job_id = ${key.jobId}`;
  await markReturned(sql);
  await readRunSeen(sql, key, [0]);
  await planNext(planner, key);
  assert.equal((await readRun(sql, key))?.state, 'joining', 'one node is back, two are still to be heard of');
  await readRunSeen(sql, key, [0, 1, 2]);
  await sql`update network_run set due_at = now() where job_id = ${key.jobId}`;
  await planNext(planner, key);
  const begun = await readRun(sql, key);
  assert.deepEqual([begun?.state, begun?.nodes_joined, begun?.nodes_lost], ['preflight', 3, 0]);
});

test('a step that fails for a reason that does not pass is given up after a minute, one that passes never', async () => {
  const run = await networkJob(app, 3);
  for (const node of run.nodes.slice(0, 2)) await join(node);
  const key = { jobId: run.job.id, item: ITEM };
  const failing = async (code: string | null, minutes: number): Promise<boolean> => {
    await sql`update network_run set due_at = now() - make_interval(secs => ${60 * minutes}) where job_id = ${key.jobId}`;
    return giveUp(planner, key, Object.assign(new Error('no'), code === null ? {} : { code }));
  };
  // connection lost, deadlock, driver, socket
  for (const code of ['08006', '40P01', 'CONNECTION_CLOSED', 'ECONNREFUSED'])
    assert.equal(await failing(code, 60), false, code);
  assert.equal(await failing('57014', 5), false, 'a statement that takes too long is tried for ten minutes');
  assert.equal(await failing('ERR_INVALID_ADDRESS', 0.5), false);
  // value out of range
  assert.equal(await failing('22003', 2), true);
  assert.deepEqual((await readRun(sql, key))?.outcome, 'failed');
});
