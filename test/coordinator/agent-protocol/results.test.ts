import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { call } from '../../support/client.ts';
import { at, getJob, Node, textAt } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { app, codeOf, fresh, owner } from './protocol-app.ts';

test('the result of a session that was replaced is refused, before and after the end of its successor', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const old = node.result(upload(node.machineUuid, [{ bf16: 100 }]));
  app.clock.advance({ seconds: 46 });
  const second = new Node(app, job, node.machineUuid);
  await second.register();
  const early = await node.results(old);
  assert.deepEqual([early.status, codeOf(early)], [409, 'STALE_EPOCH']);
  await second.deliver([{ bf16: 720 }]);
  await second.complete();
  assert.equal(codeOf(await node.results(old)), 'STALE_EPOCH');
  const done = await getJob(app, owner(), job.id);
  const figure = (...path: (string | number)[]) => at(done, ...path, 'results', 'test_results', 0, 'bf16_tflops');
  assert.equal(figure('tasks', 0, 'benchmark_results', 'quick_mark'), 720);
  assert.equal(figure('benchmark_results', 'quick_mark'), 720);
  assert.equal(at(done, 'state'), 'completed');
});

test('one benchmark under two configurations: each figure stands under the one it was measured with', async () => {
  const job = await fresh({ benchmarks: [{ benchmark_id: 'quick_mark', config: { tier: 'standard' } }, 'quick_mark'] });
  const node = new Node(app, job);
  await node.register();
  for (const [item, bf16] of [650, 720].entries())
    assert.equal((await node.results(node.result(upload(node.machineUuid, [{ bf16 }]), { item }))).status, 200);
  const misplaced = await node.results(node.result(upload(node.machineUuid, [{ bf16: 1 }]), { item: 2 }));
  assert.match(textAt(misplaced.body, 'error', 'message'), /item is not the index of a quick_mark in this job/);
  await node.complete();
  const rows = await app.platform.sql`
    select task_id is null as of_job, config ->> 'tier' as tier, (results #>> '{test_results,0,bf16_tflops}')::int as bf16
    from benchmark_result where job_id = ${job.id} order by 1, 2`;
  assert.deepEqual(
    rows.map((row) => [row['of_job'], row['tier'], row['bf16']]),
    [
      [false, 'standard', 650],
      [false, null, 720],
      [true, 'standard', 650],
      [true, null, 720],
    ],
  );
});

test('400 for more results than are kept', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const large = upload(node.machineUuid);
  const [device] = large.benchmark_results.quick_mark.test_results;
  if (device) device.details = { notes: Array.from({ length: 5 }, () => 'x'.repeat(1_000_000)) };
  const refused = await node.results(node.result(large));
  assert.equal(refused.status, 400);
  assert.match(
    textAt(refused.body, 'error', 'message'),
    /test_results\.0: is \d+ bytes; at most 98304 are kept; leave samples out of it/,
  );
});

test('a node that fails or is stopped ends its job accordingly', async () => {
  for (const [state, jobState] of [
    ['failed', 'failed'],
    ['aborted', 'aborted'],
  ] as const) {
    const job = await fresh();
    const node = new Node(app, job);
    await node.register();
    assert.deepEqual((await node.fail(state, 'no driver')).body, { task_state: state, job_state: jobState });
    assert.deepEqual(
      (await node.fail(state, 'again')).body,
      { task_state: state, job_state: jobState },
      'safe to repeat',
    );
    assert.equal(at(await getJob(app, owner(), job.id), 'tasks', 0, 'failed_message'), 'no driver');
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
  assert.equal(
    at(await getJob(app, owner(), job.id), 'tasks', 0, 'failed_message'),
    'quick_mark failed: kernel verification mismatch',
  );
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

test('the inventory of a machine is shown with its task; the last one before the end wins', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.register();
  const { benchmark_results: _, ...inventory } = upload(node.machineUuid);
  const post = (given: object) =>
    node.post(agentPaths.inventory, { task_id: node.taskId, epoch: 1, inventory: { ...inventory, ...given } });
  assert.equal((await post({ location: 'SE' })).status, 200);
  assert.equal((await post({ location: 'FI' })).status, 200);
  assert.equal((await post({ machine_uuid: 'other' })).status, 400);
  await node.fail('failed');
  assert.equal((await post({ location: 'NO' })).status, 200, 'acknowledged');
  const task = await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, { headers: owner().authorization });
  assert.equal(at(task.body, 'inventory', 'location'), 'FI');
});

test('cluster_network is skipped with the reason and a warning where no node takes part', async () => {
  const job = await fresh({ benchmarks: ['cluster_network'] });
  const node = new Node(app, job);
  await node.run();
  const done = await getJob(app, owner(), job.id);
  assert.equal(at(done, 'state'), 'completed_with_warnings');
  assert.equal(at(done, 'benchmark_results', 'cluster_network', 'state'), 'skipped');
  assert.match(textAt(done, 'benchmark_results', 'cluster_network', 'error_message'), /not measured/);
  assert.equal(at(done, 'benchmark_results', 'cluster_network', 'results'), null);
});

test('the end of a task and of its job ask for their reports, once each', async () => {
  const job = await fresh();
  const node = new Node(app, job);
  await node.run();
  const work = await app.platform
    .sql`select kind, subject_id from work_item where subject_id in (${job.id}, ${node.taskId}) order by kind`;
  assert.deepEqual(
    work.map((row) => [row['kind'], row['subject_id']]),
    [
      ['job_report', job.id],
      ['task_report', node.taskId],
    ],
  );
});
