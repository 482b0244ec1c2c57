import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentPaths, type ResultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import { rotateSigningKey } from '../../../coordinator/accounts/rotate-signing-key.ts';
import { call, type Answer } from '../../support/client.ts';
import { at, getJob, Node, type MadeJob } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { app, codeOf, forward, fresh, owner } from './protocol-app.ts';

/** Two nodes of one job, which share its token; the first has measured 720. */
async function twoNodes(): Promise<{ job: MadeJob; honest: Node; liar: Node }> {
  const job = await fresh({ node_count: 2 });
  const [honest, liar] = [new Node(app, job), new Node(app, job)];
  await honest.register();
  await liar.register();
  await honest.deliver([{ bf16: 720 }]);
  return { job, honest, liar };
}

/** What the liar sends as the honest node, with the secret given. */
function forge(honest: Node, bf16: number, given: Partial<ResultsRequest> = {}): ResultsRequest {
  return { ...honest.result(upload(honest.machineUuid, [{ bf16 }]), { attempt: 9 }), ...given };
}

async function figuresOf(job: MadeJob): Promise<unknown[]> {
  const shown = await getJob(app, owner(), job.id);
  return [0, 1].map((place) =>
    at(shown, 'tasks', place, 'benchmark_results', 'quick_mark', 'results', 'test_results', 0, 'bf16_tflops'),
  );
}

const refusedAs = (answer: Answer, status: number, code: string, what: string) =>
  assert.deepEqual([answer.status, codeOf(answer)], [status, code], what);

test('a node that shares the token can do nothing as another node: neither figure, state, lease nor inventory', async () => {
  const { job, honest, liar } = await twoNodes();
  const rows = () => app.platform.sql`
    select task.*, task_lease.expires_at, task_lease.phase, (select count(*) from benchmark_result r where r.task_id = task.id)
    from task join task_lease on task_lease.task_id = task.id where task.id = ${honest.taskId}`;
  const before = JSON.stringify(await rows());
  const { taskId: task_id, epoch } = honest;
  const { benchmark_results: _, ...inventory } = upload(honest.machineUuid);
  app.clock.advance({ seconds: 1 });
  const calls: [string, object][] = [
    [agentPaths.heartbeat, { task_id, epoch, phase: 'uploading' }],
    [agentPaths.inventory, { task_id, epoch, inventory: { ...inventory, location: 'XX' } }],
    [agentPaths.results, forge(honest, 9)],
    [agentPaths.complete, { task_id, epoch, warnings: ['forged'] }],
    [agentPaths.fail, { task_id, epoch, state: 'failed', message: 'forged' }],
  ];
  for (const [path, body] of calls) {
    refusedAs(await liar.post(path, body), 403, 'TASK_SECRET_INVALID', `${path} with its own secret`);
    const bare = { headers: { authorization: `Bearer ${job.token}` }, body };
    const missing = await call(app, 'POST', path, bare);
    refusedAs(missing, 400, 'PARAMETER_INCORRECT_VALUE', `${path} without one`);
    assert.match(missing.text, /x-task-secret: must be the task_secret that register answered/);
  }
  assert.equal(JSON.stringify(await rows()), before);
  assert.equal((await figuresOf(job))[0], 720);
});

test('a beat with a wrong secret fails alone among those it travels with, also beside the right one of its task', async () => {
  const { honest, liar } = await twoNodes();
  liar.taskId = honest.taskId;
  const answers = await Promise.all([liar.beat('uploading'), honest.beat(), liar.beat('uploading'), honest.beat()]);
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [403, 200, 403, 200],
  );
});

test('the epoch of a result is the task\u2019s, not the caller\u2019s to choose', async () => {
  const { job, honest } = await twoNodes();
  for (const epoch of [2, 2_147_483_647])
    refusedAs(await honest.results(forge(honest, 9, { epoch })), 409, 'STALE_EPOCH', `epoch ${epoch}`);
  const [row] = await app.platform.sql`select max(epoch) as epoch from benchmark_result where job_id = ${job.id}`;
  assert.equal(row?.['epoch'], 1);
});

test('who knows another node\u2019s machine cannot take it over while it lives, nor learn its secret', async () => {
  const { honest, liar } = await twoNodes();
  const thief = new Node(app, honest.job, honest.machineUuid);
  refusedAs(await thief.register(), 409, 'MACHINE_ALREADY_ACTIVE', 'live');
  await honest.complete();
  refusedAs(await thief.register(), 409, 'RESOURCE_ALREADY_EXISTS', 'ended');
  assert.equal(thief.taskSecret, null);
  assert.notEqual(honest.taskSecret, liar.taskSecret);
});

test('a takeover hands out a new secret; the one before is worthless, also with the new epoch', async () => {
  const job = await fresh();
  const first = new Node(app, job);
  await first.register();
  await forward({ seconds: 50 });
  const second = new Node(app, job, first.machineUuid);
  await second.register();
  assert.notEqual(first.taskSecret, second.taskSecret);
  first.epoch = second.epoch;
  refusedAs(await first.deliver([{ bf16: 9 }]), 403, 'TASK_SECRET_INVALID', 'old secret');
  refusedAs(await first.beat(), 403, 'TASK_SECRET_INVALID', 'old secret');
  assert.equal((await second.deliver()).status, 200);
});

test('a secret outlives a rotation of the keys, and is stored and logged nowhere', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await rotateSigningKey(app.context, { purpose: 'job', atOnce: false });
  const again = await node.register();
  assert.equal(at(again.body, 'task_secret'), node.taskSecret);
  await node.deliver();
  const [row] = await app.platform.sql`select task::text as whole from task where id = ${node.taskId}`;
  const kept = [row?.['whole'], JSON.stringify(app.logLines())].join(' ');
  assert.ok(node.taskSecret !== null && !kept.includes(node.taskSecret.slice(5)));
});

test('a task from before there were secrets opens to nobody until its session registers again', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await app.platform.sql`update task set secret_hash = null where id = ${node.taskId}`;
  refusedAs(await node.beat(), 403, 'TASK_SECRET_INVALID', 'no secret yet');
  await new Node(app, job, node.machineUuid).register();
  refusedAs(await node.beat(), 403, 'TASK_SECRET_INVALID', 'another session brings none');
  await node.register();
  assert.equal((await node.beat()).status, 200);
});

test('registering as another node with a made-up session answers no secret', async () => {
  const { honest, job } = await twoNodes();
  const body = { machine_uuid: honest.machineUuid, agent_version: '1', protocol_version: 1 };
  for (const session_id of [randomUUID(), '00000000-0000-4000-8000-000000000000']) {
    const headers = { authorization: `Bearer ${job.token}` };
    const answer = await call(app, 'POST', agentPaths.register, { headers, body: { ...body, session_id } });
    assert.ok(answer.status === 409 && !answer.text.includes('gmts_'));
  }
});
