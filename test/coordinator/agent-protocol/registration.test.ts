import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { call } from '../../support/client.ts';
import { at, getJob, Node } from '../jobs/node.ts';
import { app, codeOf, fresh, owner, stateOf } from './protocol-app.ts';

test('registering is idempotent for one session: the same task, epoch and secret', async () => {
  const job = await fresh({ node_count: 2 });
  const node = new Node(app, job);
  const first = await node.register();
  const again = await node.register();
  assert.deepEqual([at(again.body, 'task_id'), at(again.body, 'epoch')], [at(first.body, 'task_id'), 1]);
  assert.equal(at(again.body, 'task_secret'), at(first.body, 'task_secret'));
  assert.equal(at(await getJob(app, owner(), job.id), 'current_nodes'), 1);
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

test('400 for malformed registrations and beats; 404 for a task of another job; 401 for a customer credential', async () => {
  const [job, other] = [await fresh(), await fresh()];
  const [node, stranger] = [new Node(app, job), new Node(app, other)];
  await node.register();
  await stranger.register();
  const identity = { machine_uuid: 'm', session_id: randomUUID(), agent_version: '1' };
  for (const body of [
    {},
    { ...identity, protocol_version: 2 },
    { ...identity, protocol_version: 1, session_id: 'me' },
  ]) {
    assert.equal((await node.post(agentPaths.register, body)).status, 400);
  }
  for (const body of [
    { task_id: 'x', epoch: 1, phase: 'measuring' },
    { task_id: node.taskId, epoch: 1, phase: 'asleep' },
    { task_id: node.taskId, epoch: 0, phase: 'waiting' },
    { task_id: node.taskId, epoch: 2 ** 31, phase: 'waiting' },
  ]) {
    assert.equal((await node.post(agentPaths.heartbeat, body)).status, 400);
  }
  node.taskId = stranger.taskId;
  for (const answer of [await node.beat(), await node.complete(), await node.fail('failed'), await node.deliver()])
    assert.equal(answer.status, 404);
  const asCustomer = await call(app, 'GET', agentPaths.job, { headers: owner().authorization });
  assert.equal(asCustomer.status, 401);
});

test('the current job shows what token and secret open, also when the job has ended; of other nodes nothing', async () => {
  const job = await fresh({ node_count: 2 });
  const [node, other] = [new Node(app, job), new Node(app, job)];
  await other.run();
  await node.run();
  const authorization = `Bearer ${job.token}`;
  const headers = { authorization, 'x-task-secret': node.taskSecret ?? '' };
  const answer = await call(app, 'GET', agentPaths.job, { headers });
  assert.equal(answer.status, 200);
  assert.deepEqual([at(answer.body, 'tasks', 0, 'id'), at(answer.body, 'tasks', 1)], [node.taskId, undefined]);
  for (const hidden of [other.machineUuid, node.taskSecret, other.taskSecret])
    assert.ok(!answer.text.includes(hidden ?? 'gmts_'), 'neither identity nor secret of anybody');
  const withToken = await call(app, 'GET', agentPaths.job, { headers: { authorization } });
  assert.deepEqual(at(withToken.body, 'tasks'), []);
  assert.deepEqual(
    [at(answer.body, 'id'), at(answer.body, 'state'), at(answer.body, 'tasks', 0, 'state')],
    [job.id, 'completed', 'completed'],
  );
});

test('401 with the token of a deleted job', async () => {
  const job = await fresh();
  await call(app, 'DELETE', '/api/gpu-mark/v1/jobs/delete', {
    body: { job_id: job.id },
    headers: owner().authorization,
  });
  app.clock.advance({ seconds: 6 });
  assert.equal((await new Node(app, job).register()).status, 401);
});
