import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { agentPaths } from '../../../../coordinator/contract/agent-protocol.ts';
import { expireJobs } from '../../../../coordinator/jobs/expire-jobs.ts';
import { extendLeases } from '../../../../coordinator/jobs/extend-leases.ts';
import { sweepLeases } from '../../../../coordinator/jobs/sweep-leases.ts';
import { testApp, type TestApp } from '../../../support/app.ts';
import { call, makeUser, type TestUser } from '../../../support/client.ts';
import { at, getJob, makeJob, Node } from '../node.ts';
import { upload } from '../upload.ts';

const app: TestApp = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
let user: TestUser;
// the clock stands where the last test left it, so each gets a login of its own time
const fresh = async (body: Record<string, unknown> = {}) => {
  user = await makeUser(app);
  return makeJob(app, user, body);
};
const codeOf = (answer: { body: Parameters<typeof at>[0] }) => at(answer.body, 'error', 'code');
const stateOf = async (jobId: string) => at(await getJob(app, user, jobId), 'state');
const taskStateOf = async (jobId: string, n = 0) => at(await getJob(app, user, jobId), 'tasks', n, 'state');
const forward = async (amount: Parameters<typeof app.clock.advance>[0]) => {
  app.clock.advance(amount);
  await sweepLeases(app.context);
  await expireJobs(app.context);
};

test('registering is idempotent for one session: the same task and epoch', async () => {
  const job = await fresh({ node_count: 2 });
  const node = new Node(app, job);
  const first = await node.register();
  const again = await node.register();
  assert.deepEqual([at(again.body, 'task_id'), at(again.body, 'epoch')], [at(first.body, 'task_id'), 1]);
  assert.equal(at(await getJob(app, user, job.id), 'current_nodes'), 1);
  assert.equal(await stateOf(job.id), 'starting');
});

test('409 MACHINE_ALREADY_ACTIVE with Retry-After for a second agent on a machine, and takeover after the lease', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.beat('measuring');
  const second = new Node(app, job, node.machineUuid);
  app.clock.advance({ seconds: 5 });
  const refused = await second.register();
  assert.equal(refused.status, 409);
  assert.equal(codeOf(refused), 'MACHINE_ALREADY_ACTIVE');
  assert.equal(refused.headers.get('retry-after'), '40');
  app.clock.advance({ seconds: 41 });
  const taken = await second.register();
  assert.deepEqual([taken.status, second.epoch, second.taskId], [200, 2, node.taskId]);
  const stale = await node.beat('measuring');
  assert.deepEqual([stale.status, codeOf(stale)], [409, 'STALE_EPOCH']);
  assert.equal(codeOf(await node.complete()), 'STALE_EPOCH');
  assert.equal(codeOf(await node.fail('failed')), 'STALE_EPOCH');
  assert.equal((await second.beat()).status, 200);
});

test('the result of a session that was replaced is kept, and does not end the task of its successor', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  app.clock.advance({ seconds: 46 });
  const second = new Node(app, job, node.machineUuid);
  await second.register();
  const kept = await node.deliver();
  assert.deepEqual(kept.body, { result_key: at(kept.body, 'result_key'), duplicate: false, task_state: 'registered', job_state: 'running' });
  await second.deliver([{ bf16: 720 }]);
  await second.complete();
  assert.equal(await stateOf(job.id), 'completed');
});

test('409 JOB_FULL for the 257th node', async () => {
  const job = await fresh({ node_count: 256 });
  const nodes = Array.from({ length: 256 }, () => new Node(app, job));
  const answers = await Promise.all(nodes.map((node) => node.register()));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal(await stateOf(job.id), 'running');
  const extra = await new Node(app, job).register();
  assert.deepEqual([extra.status, codeOf(extra)], [409, 'JOB_FULL']);
});

test('409 for a machine that has delivered, and JOB_NOT_ACTIVE for a new one after the end', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.run();
  assert.equal(codeOf(await new Node(app, job, node.machineUuid).register()), 'RESOURCE_ALREADY_EXISTS');
  assert.equal((await node.register()).status, 200, 'the same process is told its task again');
  assert.equal(codeOf(await new Node(app, job).register()), 'JOB_NOT_ACTIVE');
});

test('a dead node is noticed within 50 s, and not before its lease is over', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  for (let second = 5; second <= 45; second += 5) await forward({ seconds: 5 });
  assert.equal(await taskStateOf(job.id), 'running', 'at 45 s the lease has not run out');
  await forward({ seconds: 5 });
  assert.equal(await taskStateOf(job.id), 'lost');
  assert.equal(await stateOf(job.id), 'running', 'the job waits for it');
  assert.deepEqual(at((await node.beat()).body, 'task_state'), 'running', 'a beat brings it back');
});

test('a late result of a lost node is kept and completes it', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  await forward({ seconds: 50 });
  const delivered = await node.deliver();
  assert.deepEqual([at(delivered.body, 'task_state'), at(delivered.body, 'job_state')], ['completed', 'completed']);
  assert.deepEqual((await node.complete()).body, { task_state: 'completed', job_state: 'completed' });
});

test('a late result moves a failed job to completed_with_warnings, until the job is archived', async () => {
  const [kept, archived] = [await fresh(), await fresh()];
  const nodes = [new Node(app, kept), new Node(app, archived)] as const;
  for (const node of nodes) await node.register();
  await forward({ seconds: 50 });
  await forward({ minutes: 10 });
  assert.deepEqual([await app.platform.sql`select state from job where id in (${kept.id}, ${archived.id})`].flat().map((row) => row['state']), ['failed', 'failed']);
  const late = await nodes[0].deliver();
  assert.deepEqual([late.status, at(late.body, 'task_state'), at(late.body, 'job_state')], [200, 'completed', 'completed_with_warnings']);
  await app.platform.sql`update job set ended_at = ended_at - interval '31 days' where id = ${archived.id}`;
  await expireJobs(app.context);
  const refused = await nodes[1].deliver();
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'JOB_NOT_ACTIVE']);
});

test('an agent that dies between its result and "complete" keeps the job waiting no longer than its lease', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.deliver();
  await forward({ seconds: 50 });
  assert.equal(await taskStateOf(job.id), 'completed');
  assert.equal(await stateOf(job.id), 'completed_with_warnings');
});

test('a restart of the coordinator loses nobody', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  app.clock.advance({ minutes: 5 });
  await extendLeases(app.context);
  await forward({ seconds: 44 });
  assert.equal(await taskStateOf(job.id), 'registered');
  await forward({ seconds: 6 });
  assert.equal(await taskStateOf(job.id), 'lost');
});

test('a job goes on with the nodes it has when the registration window closes', async () => {
  const job = await fresh({ node_count: 3 });
  const node = new Node(app, job);
  await node.run();
  assert.equal(await stateOf(job.id), 'starting', 'two more may come');
  app.clock.advance({ minutes: 10 });
  assert.equal(codeOf(await new Node(app, job).register()), 'JOB_NOT_ACTIVE');
  await sweepLeases(app.context);
  const done = await getJob(app, user, job.id);
  assert.deepEqual([at(done, 'state'), at(done, 'current_nodes')], ['completed_with_warnings', 1]);
  const [row] = await app.platform.sql<{ warnings: string[] }[]>`select warnings from job where id = ${job.id}`;
  assert.deepEqual(row?.warnings, ['1 of 3 nodes registered within 10 minutes of the first.']);
});

test('an expired job is aborted with its nodes, which are told to stop', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await app.platform.sql`update job set expires_at = ${new Date(app.clock.now().getTime() + 1000)} where id = ${job.id}`;
  await forward({ seconds: 1 });
  assert.deepEqual([await stateOf(job.id), await taskStateOf(job.id)], ['aborted', 'aborted']);
  assert.deepEqual(at((await node.beat()).body, 'stop'), { reason: 'The job was aborted.' });
});

test('a node that fails or is stopped ends its job accordingly', async () => {
  for (const [state, jobState] of [['failed', 'failed'], ['aborted', 'aborted']] as const) {
    const job = await fresh();
    const node = new Node(app, job);
    await node.register();
    assert.deepEqual((await node.fail(state, 'no driver')).body, { task_state: state, job_state: jobState });
    assert.deepEqual((await node.fail(state, 'again')).body, { task_state: state, job_state: jobState }, 'safe to repeat');
    assert.equal(at(await getJob(app, user, job.id), 'tasks', 0, 'failed_message'), 'no driver');
  }
});

test('complete needs a result, and a failed result makes a failed task', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const early = await node.complete();
  assert.deepEqual([early.status, codeOf(early)], [400, 'PARAMETER_INCORRECT_VALUE']);
  const failed = node.result(null, { state: 'failed', error_message: 'kernel verification mismatch' });
  assert.equal((await node.results(failed)).status, 200);
  assert.deepEqual((await node.complete()).body, { task_state: 'failed', job_state: 'failed' });
  assert.equal(at(await getJob(app, user, job.id), 'tasks', 0, 'failed_message'), 'quick_mark failed: kernel verification mismatch');
});

test('a result counts once when 20 connections deliver it at the same time', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const result = node.result(upload(node.machineUuid));
  const answers = await Promise.all(Array.from({ length: 20 }, () => node.results(result)));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal(answers.filter((answer) => at(answer.body, 'duplicate') === false).length, 1);
  const rows = await app.platform.sql`select from benchmark_result where job_id = ${job.id}`;
  assert.equal(rows.count, 1);
});

test('400 for a result whose content does not give its key, or that contradicts itself', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const good = node.result(upload(node.machineUuid));
  const altered = structuredClone(good);
  if (altered.payload) altered.payload.benchmark_results.quick_mark.aggregate_results.bf16_tflops = 9999;
  const wrong = [
    altered,
    node.result(null, { state: 'completed' }),
    node.result(upload('another-machine')),
    node.result(upload(node.machineUuid), { ended_at: '2020-01-01T00:00:00Z' }),
    node.result(null, { state: 'failed', benchmark_id: 'cluster_network' }),
    { ...good, payload: { ...good.payload, gpu_count: 'eight' } },
    { ...good, attempt: 0 },
    { ...good, started_at: 'yesterday' },
    'not json at all',
  ];
  for (const body of wrong) {
    const answer = await node.post(agentPaths.results, body);
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'PARAMETER_INCORRECT_VALUE'], JSON.stringify(answer.body));
  }
  assert.equal((await node.results(good)).status, 200);
});

test('400 for malformed registrations and beats; 404 for a task of another job; 401 for a customer credential', async () => {
  const [job, other] = [await fresh(), await fresh()];
  const [node, stranger] = [new Node(app, job), new Node(app, other)];
  await node.register();
  await stranger.register();
  const identity = { machine_uuid: 'm', session_id: randomUUID(), agent_version: '1' };
  for (const body of [{}, { ...identity, protocol_version: 2 }, { ...identity, protocol_version: 1, session_id: 'me' }]) {
    assert.equal((await node.post(agentPaths.register, body)).status, 400);
  }
  for (const body of [{ task_id: 'x', epoch: 1, phase: 'measuring' }, { task_id: node.taskId, epoch: 1, phase: 'asleep' }, { task_id: node.taskId, epoch: 0, phase: 'waiting' }]) {
    assert.equal((await node.post(agentPaths.heartbeat, body)).status, 400);
  }
  node.taskId = stranger.taskId;
  for (const answer of [await node.beat(), await node.complete(), await node.fail('failed'), await node.deliver()]) assert.equal(answer.status, 404);
  const asCustomer = await call(app, 'GET', agentPaths.job, { headers: user.authorization });
  assert.equal(asCustomer.status, 401);
});

test('the inventory of a machine is shown with its task; the last one wins', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const { benchmark_results: _, ...inventory } = upload(node.machineUuid);
  const post = (given: object) => node.post(agentPaths.inventory, { task_id: node.taskId, epoch: 1, inventory: { ...inventory, ...given } });
  assert.equal((await post({ location: 'SE' })).status, 200);
  assert.equal((await post({ location: 'FI' })).status, 200);
  assert.equal((await post({ machine_uuid: 'other' })).status, 400);
  const task = await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, { headers: user.authorization });
  assert.equal(at(task.body, 'inventory', 'location'), 'FI');
});

test('the current job shows what the token opens, also when the job has ended', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.run();
  const answer = await call(app, 'GET', agentPaths.job, { headers: { authorization: `Bearer ${job.token}` } });
  assert.equal(answer.status, 200);
  assert.deepEqual([at(answer.body, 'id'), at(answer.body, 'state'), at(answer.body, 'tasks', 0, 'state')], [job.id, 'completed', 'completed']);
});

test('401 with the token of a deleted job', async () => {
  const job = await fresh();
  await call(app, 'DELETE', '/api/gpu-mark/v1/jobs/delete', { body: { job_id: job.id }, headers: user.authorization });
  app.clock.advance({ seconds: 6 });
  assert.equal((await new Node(app, job).register()).status, 401);
});

test('cluster_network is skipped with the reason and a warning: no agent measures it yet', async () => {
  const job = await fresh({ benchmarks: ['cluster_network'] });
  const node = new Node(app, job);
  await node.run();
  const done = await getJob(app, user, job.id);
  assert.equal(at(done, 'state'), 'completed_with_warnings');
  assert.equal(at(done, 'benchmark_results', 'cluster_network', 'state'), 'skipped');
  assert.match(String(at(done, 'benchmark_results', 'cluster_network', 'error_message')), /not measured/);
  assert.equal(at(done, 'benchmark_results', 'cluster_network', 'results'), null);
});

test('the end of a task and of its job ask for their reports, once each', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.run();
  const work = await app.platform.sql`select kind, subject_id from work_item where subject_id in (${job.id}, ${node.taskId}) order by kind`;
  assert.deepEqual(work.map((row) => [row['kind'], row['subject_id']]), [['job_report', job.id], ['task_report', node.taskId]]);
});
