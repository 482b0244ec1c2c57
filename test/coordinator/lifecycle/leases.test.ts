import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBeatBatch } from '../../../coordinator/lifecycle/beat-batch.ts';
import { hashOfSecret } from '../../../coordinator/lifecycle/session.ts';
import { expireJobs, sweepLeases } from '../../../coordinator/lifecycle/sweep.ts';
import { extendLeases } from '../../../coordinator/lifecycle/change-task.ts';
import { at, evidenceOf, getJob, Node } from '../jobs/node.ts';
import { app, codeOf, forward, fresh, owner, stateOf, taskStateOf } from '../agent-protocol/protocol-app.ts';

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
  assert.deepEqual(
    [await app.platform.sql`select state from job where id in (${kept.id}, ${archived.id})`]
      .flat()
      .map((row) => row['state']),
    ['failed', 'failed'],
  );
  const late = await nodes[0].deliver();
  assert.deepEqual(
    [late.status, at(late.body, 'task_state'), at(late.body, 'job_state')],
    [200, 'completed', 'completed_with_warnings'],
  );
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

test('a late result of a node that came back in time leaves no warning', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  await forward({ seconds: 50 });
  await node.deliver();
  await node.complete();
  const done = await getJob(app, owner(), job.id);
  assert.deepEqual([at(done, 'state'), evidenceOf(done)], ['completed', []]);
});

test('a beat waits for no other node, nor for the transaction that holds the lease of one', async () => {
  const job = await fresh({ node_count: 2 });
  const [held, free] = [new Node(app, job), new Node(app, job)];
  await held.register();
  await free.register();
  let waiting: Promise<{ status: number }> | undefined;
  await app.platform.sql.begin(async (tx) => {
    await tx`select from task_lease where task_id = ${held.taskId} for no key update`;
    waiting = held.beat();
    assert.equal((await free.beat()).status, 200, 'answered while the other lease is held');
  });
  assert.equal((await waiting)?.status, 200, 'and the held one as soon as it is free');
});

test('a beat that the database refuses fails alone', async () => {
  const job = await fresh({ node_count: 2 });
  const [good, bad] = [new Node(app, job), new Node(app, job)];
  await good.register();
  await bad.register();
  const renew = createBeatBatch(app.platform);
  const row = (node: Node, epoch: number) =>
    renew({
      taskId: node.taskId,
      jobId: job.id,
      epoch,
      secretHash: hashOfSecret(node.taskSecret ?? ''),
      phase: 'measuring',
      progress: null,
    });
  const [first, second] = await Promise.allSettled([row(bad, 2 ** 31), row(good, 1)]);
  assert.equal(first.status, 'rejected');
  assert.equal(second.status === 'fulfilled' && second.value?.task_state, 'registered');
});

test('a job that cannot be swept keeps no other from being swept', async () => {
  const [other, broken] = [await fresh(), await fresh()];
  for (const job of [broken, other]) await new Node(app, job).register();
  // what its end has to read is no longer there to be read
  await app.platform.sql`update job set benchmark_sequence = '[{}]' where id = ${broken.id}`;
  await forward({ seconds: 50 });
  await forward({ minutes: 10 });
  const states = await app.platform.sql`select state from job where id in (${broken.id}, ${other.id}) order by id`;
  assert.deepEqual(
    states.map((row) => row['state']),
    ['failed', 'running'],
  );
  await app.platform.sql`
    update job set benchmark_sequence = (select benchmark_sequence from job where id = ${other.id})
    where id = ${broken.id}`;
  await sweepLeases(app.context);
  assert.equal(await stateOf(broken.id), 'failed', 'tried again at the next sweep');
});

test('a job goes on with the nodes it has when the registration window closes', async () => {
  const job = await fresh({ node_count: 3 });
  const node = new Node(app, job);
  await node.run();
  assert.equal(await stateOf(job.id), 'starting', 'two more may come');
  app.clock.advance({ minutes: 10 });
  assert.equal(codeOf(await new Node(app, job).register()), 'JOB_NOT_ACTIVE');
  await sweepLeases(app.context);
  const done = await getJob(app, owner(), job.id);
  assert.deepEqual([at(done, 'state'), at(done, 'current_nodes')], ['completed_with_warnings', 1]);
  assert.deepEqual(evidenceOf(done), ['1 of 3 nodes registered within 10 minutes of the first']);
});

test('an expired job is aborted with its nodes, which are told to stop', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await app.platform
    .sql`update job set expires_at = ${new Date(app.clock.now().getTime() + 1000)} where id = ${job.id}`;
  await forward({ seconds: 1 });
  assert.deepEqual([await stateOf(job.id), await taskStateOf(job.id)], ['aborted', 'aborted']);
  assert.deepEqual(at((await node.beat()).body, 'stop'), { reason: 'The job was aborted.' });
});
