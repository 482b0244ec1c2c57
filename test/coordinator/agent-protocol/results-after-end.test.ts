import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultLimits } from '../../../coordinator/contract/agent-protocol.ts';
import { call, type Json } from '../../support/client.ts';
import { at, getJob, Node, textAt, type MadeJob } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { app, codeOf, forward, fresh, owner, stateOf } from './protocol-app.ts';

const attempt = (node: Node, number: number, bf16: number, item?: number) =>
  node.results(
    node.result(upload(node.machineUuid, [{ bf16 }]), { attempt: number, ...(item === undefined ? {} : { item }) }),
  );

const taskOf = async (node: Node): Promise<Json> =>
  (await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, { headers: owner().authorization })).body;

const figure = (shown: Json, ...path: (string | number)[]) =>
  at(shown, ...path, 'benchmark_results', 'quick_mark', 'results', 'test_results', 0, 'bf16_tflops');

/** Everything that is shown of a job, and what others are compared with. */
async function shownOf(job: MadeJob): Promise<string> {
  const scores = await app.platform.sql`select * from scoreboard_entry where job_id = ${job.id}`;
  const stats = await app.platform
    .sql`select judgement, quick_mark_aggregate, performance from job where id = ${job.id}`;
  return JSON.stringify([await getJob(app, owner(), job.id), scores, stats]);
}

test('before the end the newest attempt counts', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  for (const [number, bf16] of [700, 710, 720].entries()) await attempt(node, number + 1, bf16);
  await node.complete();
  assert.equal(figure(await getJob(app, owner(), job.id)), 720);
});

test('after the end the result that counts stays; another one is kept aside, visible and uncounted', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.run([{ bf16: 720 }]);
  const before = await shownOf(job);
  assert.equal(at(await taskOf(node), 'kept_aside'), null);
  const aside = await attempt(node, 9, 9999);
  assert.deepEqual([aside.status, at(aside.body, 'kept_aside'), at(aside.body, 'duplicate')], [200, true, false]);
  const again = await attempt(node, 9, 9999);
  assert.deepEqual([again.status, at(again.body, 'kept_aside'), at(again.body, 'duplicate')], [200, true, true]);
  assert.equal(await shownOf(job), before);
  const task = await taskOf(node);
  assert.equal(figure(task), 720);
  const kept = at(task, 'kept_aside');
  assert.deepEqual([at(kept, 'count'), at(kept, 'results', 0, 'result_key')], [1, at(aside.body, 'result_key')]);
  assert.equal(at(kept, 'results', 0, 'received_at'), app.clock.now().toISOString());
  assert.match(
    textAt(kept, 'warning'),
    /1 more result came after the end of this task; the first one .* counts, these are not used/,
  );
});

test('the first result after the end still counts, the second does not: also for each of two configurations', async () => {
  const job = await fresh({ benchmarks: [{ benchmark_id: 'quick_mark', config: { tier: 'standard' } }, 'quick_mark'] });
  const node = new Node(app, job);
  await node.register();
  await node.fail('failed', 'stopped early');
  assert.equal(await stateOf(job.id), 'failed');
  const answers = [
    await attempt(node, 1, 650, 0),
    await attempt(node, 1, 720, 1),
    await attempt(node, 2, 9, 0),
    await attempt(node, 2, 9, 1),
  ];
  assert.deepEqual(
    answers.map((answer) => at(answer.body, 'kept_aside')),
    [false, false, true, true],
  );
  assert.equal(await stateOf(job.id), 'completed_with_warnings');
  assert.equal(figure(await taskOf(node)), 720);
});

test('a lost node of a job that has ended replaces nothing that it had delivered', async () => {
  const job = await fresh({
    node_count: 2,
    benchmarks: [{ benchmark_id: 'quick_mark', config: { tier: 'standard' } }, 'quick_mark'],
  });
  const [lost, other] = [new Node(app, job), new Node(app, job)];
  await lost.register();
  await other.register();
  await attempt(lost, 1, 700, 0);
  await lost.results(lost.result(null, { state: 'failed', error_message: 'no driver', item: 1 }));
  await forward({ seconds: 50 });
  await app.platform
    .sql`update task_lease set expires_at = ${app.clock.now()} + interval '1 hour' where task_id = ${other.taskId}`;
  await other.register();
  for (const item of [0, 1]) await attempt(other, 1, 720, item);
  await other.complete();
  await forward({ minutes: 10 });
  assert.equal(await stateOf(job.id), 'completed_with_warnings');
  const answer = await attempt(lost, 5, 9999, 0);
  assert.deepEqual([answer.status, at(answer.body, 'kept_aside')], [200, true]);
});

test('past the token\u2019s expiry the first result is taken, and nothing replaces it', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  await node.fail('failed', 'cut off');
  await forward({ hours: 25 });
  assert.equal((await node.beat()).status, 401, 'the token has expired');
  assert.equal(at((await attempt(node, 1, 720)).body, 'kept_aside'), false);
  assert.equal(at((await attempt(node, 2, 9999)).body, 'kept_aside'), true);
  const rows = await app.platform.sql`
    select kept_aside, late, (results #>> '{test_results,0,bf16_tflops}')::int as bf16
    from benchmark_result where task_id = ${node.taskId} order by id`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { kept_aside: false, late: true, bf16: 720 },
      { kept_aside: true, late: true, bf16: 9999 },
    ],
  );
  const [aggregate] = await app.platform.sql`
    select quick_mark_aggregate ->> 'bf16_tflops' as bf16 from job where id = ${job.id}`;
  assert.ok(!JSON.stringify(aggregate).includes('9999'));
});

test('an aborted job takes no results; one that it has is still acknowledged', async () => {
  const job = await fresh({ node_count: 2 });
  const [node, other] = [new Node(app, job), new Node(app, job)];
  await node.register();
  await other.register();
  await node.deliver([{ bf16: 720 }]);
  const body = { id: job.id };
  await call(app, 'POST', '/api/gpu-mark/v1/jobs/abort', { body, headers: owner().authorization });
  assert.equal(at((await node.deliver([{ bf16: 720 }])).body, 'duplicate'), true);
  for (const late of [await attempt(node, 2, 9), await other.deliver()])
    assert.deepEqual([late.status, codeOf(late)], [409, 'JOB_NOT_ACTIVE']);
  const rows = await app.platform.sql`select from benchmark_result where job_id = ${job.id} and task_id is not null`;
  assert.equal(rows.count, 1);
});

test('a task holds so many results and no more, of one attempt fewer, and what counts stays', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const { per_task, per_attempt, kept_aside } = resultLimits;
  for (let n = 0; n < per_attempt; n += 1) assert.equal((await attempt(node, 1, 700 + n)).status, 200);
  const more = await attempt(node, 1, 1);
  assert.deepEqual([more.status, codeOf(more)], [409, 'RESULT_LIMIT']);
  assert.match(
    textAt(more.body, 'error', 'message'),
    /Attempt 1 of quick_mark already has 3 results, the maximum; what counts stays/,
  );
  for (let n = 2; n <= per_task - per_attempt + 1; n += 1) assert.equal((await attempt(node, n, 720)).status, 200);
  assert.equal(codeOf(await attempt(node, 999, 1)), 'RESULT_LIMIT');
  await node.complete();
  for (let n = 0; n < kept_aside; n += 1) assert.equal((await attempt(node, 100 + n, 9)).status, 200);
  assert.equal(codeOf(await attempt(node, 999, 1)), 'RESULT_LIMIT');
  assert.equal(figure(await getJob(app, owner(), job.id)), 720);
  const [row] = await app.platform.sql`select count(*)::int from benchmark_result where task_id = ${node.taskId}`;
  assert.equal(row?.['count'], per_task + kept_aside);
});
