import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sizeCaps } from '../../../coordinator/contract/size-caps.ts';
import type { UploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { StoreError } from '../../../coordinator/platform/errors.ts';
import { reportData } from '../../../coordinator/jobs/report-data.ts';
import { unpackReport } from '../../../coordinator/reports/unpack-report.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { at, getJob, makeJob, Node, textAt } from './node.ts';
import { upload } from './upload.ts';

const API = '/api/gpu-mark/v1';
const stats = { n: 9, min: 1, max: 3, median: 2, p5: 1, p95: 3, cv: 0.01 };

/** 64 devices with 35 KiB each, the most that an honest one has, and every copy between them. */
function honest(machineUuid: string, count: number): UploadPayload {
  const payload = upload(
    machineUuid,
    Array.from({ length: count }, () => ({})),
  );
  const { test_results: devices, aggregate_results } = payload.benchmark_results.quick_mark;
  for (const device of devices) {
    device.details = {
      bf16_tflops: { unit: 'TFLOP/s', stats, verified: true, engine: 'own', sweep: Array(3000).fill(7) },
      fp32_tflops: { unit: 'TFLOP/s', stats, arithmetic: 'tf32', sweep: Array(30).fill(7) },
    };
    device.details['note'] = 'x'.repeat(34 * 1024 - JSON.stringify(device).length);
  }
  aggregate_results.gpu_bandwidth_matrix = devices.flatMap(({ gpu_id: source_gpu }) =>
    devices.flatMap(({ gpu_id: target_gpu }) =>
      source_gpu === target_gpu
        ? []
        : [
            {
              source_gpu,
              target_gpu,
              simplex_gbs: 400,
              simplex_samples: 1000,
              duplex_gbs: 780,
              connection_type: 'NVLink x18',
              reason: 'r'.repeat(60),
            },
          ],
    ),
  );
  return payload;
}

const app = await testApp({ after });
const user = await makeUser(app);
const fresh = async (body: Record<string, unknown> = {}) => {
  const node = new Node(app, await makeJob(app, user, body));
  await node.register();
  await node.beat();
  return node;
};
const get = (path: string) => call(app, 'GET', `${API}${path}`, { headers: user.authorization });

test('the largest honest node fits; its details are one link away, and its figures and their spread stand in every answer', async () => {
  const node = await fresh();
  const payload = honest(node.machineUuid, 64);
  assert.equal((await node.results(node.result(payload))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const job = await getJob(app, user, node.job.id);
  const result = at(job, 'tasks', 0, 'benchmark_results', 'quick_mark');
  assert.equal(at(result, 'results', 'test_results', 63, 'bf16_tflops'), 715);
  assert.deepEqual(at(result, 'results', 'test_results', 63, 'details'), {
    bf16_tflops: { stats, verified: true, engine: 'own' },
    fp32_tflops: { stats, arithmetic: 'tf32' },
  });
  assert.equal(at(job, 'truncated'), null);
  assert.equal(at(job, 'benchmark_results', 'quick_mark', 'results', 'device_count'), 64);
  // As it was sent, with the verdicts and sums of the coordinator.
  const kept = judgeResults(payload.benchmark_results.quick_mark);
  for (const shown of [result, at((await get(`/tasks/${node.taskId}`)).body, 'benchmark_results', 'quick_mark')]) {
    const raw = await app.app.request(textAt(shown, 'raw_details_url').replace('http://coordinator.test', ''));
    assert.equal(raw.headers.get('content-type'), 'application/json');
    assert.deepEqual(await raw.json(), kept);
  }
  const report = unpackReport(await reportData(app.context, { kind: 'task', id: node.taskId }));
  assert.ok(report.kind === 'task');
  assert.deepEqual(report.node.results[0]?.results, kept, 'the report has them all');
});

test('a small result is answered whole, and a repeat of a large one makes no second file', async () => {
  const small = await fresh();
  await small.results(small.result(honest(small.machineUuid, 1)));
  const shown = at(await getJob(app, user, small.job.id), 'tasks', 0, 'benchmark_results', 'quick_mark');
  assert.deepEqual(at(shown, 'results'), judgeResults(honest(small.machineUuid, 1).benchmark_results.quick_mark));
  assert.equal(at(shown, 'raw_details_url'), undefined);
  const large = await fresh();
  const result = large.result(honest(large.machineUuid, 8));
  const files = () => app.platform.sql`select from artifact where kind = 'raw_result'`;
  const before = (await files()).length;
  assert.equal((await large.results(result)).status, 200);
  assert.equal(at((await large.results(result)).body, 'duplicate'), true);
  assert.equal((await files()).length, before + 1);
});

test('while files cannot be stored a large result is asked for again later and small ones are taken; nothing is half there', async (t) => {
  const [large, small] = [await fresh(), await fresh()];
  const result = large.result(honest(large.machineUuid, 8));
  const broken = t.mock.method(app.platform.artifacts, 'put', () =>
    Promise.reject(new StoreError('The object store http://store.test cannot be used: the bucket is full')),
  );
  const refused = await large.results(result);
  assert.equal(refused.status, 503);
  assert.match(textAt(refused.body, 'error', 'message'), /Files can be neither stored nor read just now/);
  assert.doesNotMatch(
    JSON.stringify(refused.body),
    /bucket|store\.test/,
    'the operator’s sentence is not the caller’s',
  );
  assert.equal((await small.deliver()).status, 200);
  broken.mock.restore();
  const taken = await large.results(result);
  assert.deepEqual([taken.status, at(taken.body, 'duplicate')], [200, false]);
});

test('400 for free JSON over its bounds, naming field, size, bound and remedy; nothing stored is lost', async () => {
  const node = await fresh();
  assert.equal((await node.deliver()).status, 200);
  const refusal = async (change: (payload: UploadPayload) => void): Promise<string> => {
    const payload = upload(node.machineUuid);
    change(payload);
    const answer = await node.results(node.result(payload, { attempt: 2 }));
    assert.equal(answer.status, 400, JSON.stringify(answer.body).slice(0, 200));
    return textAt(answer.body, 'error', 'message');
  };
  const mark = (payload: UploadPayload) => payload.benchmark_results.quick_mark;
  const device = (payload: UploadPayload, more: object) =>
    void Object.assign(mark(payload).test_results[0] ?? {}, more);
  const nested = JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`) as unknown;
  const wrong: [(payload: UploadPayload) => void, RegExp][] = [
    [
      (p) => device(p, { details: { x: 'y'.repeat(100_000) } }),
      /test_results\.0: is 10\d{4} bytes; at most 98304 are kept; leave/,
    ],
    // six characters on the way in, 309 digits on the way out
    [(p) => device(p, { details: { x: Array(1000).fill(1e308) } }), /is 3\d{5} bytes; at most 98304/],
    [(p) => device(p, { details: { x: Array(5000).fill(1) } }), /has 50\d\d members and elements; at most 4000/],
    [(p) => device(p, { details: { x: nested } }), /nests deeper than 10 levels/],
    [
      (p) => device(p, { more: 'y'.repeat(17_000) }),
      /test_results\.0: without details is 1[89]\d{3} bytes; at most 16384/,
    ],
    [(p) => device(p, { unavailable: { fp8_tflops: 'y'.repeat(17_000) } }), /without details is 1[89]\d{3} bytes/],
    [
      (p) => void Object.assign(mark(p).aggregate_results, { x: 'y'.repeat(17_000) }),
      /aggregate_results: without gpu_bandwidth_matrix is/,
    ],
    [
      (p) => void Object.assign(p, { x: 'y'.repeat(140_000) }),
      /payload: without benchmark_results is 14\d{4} bytes; at most 131072/,
    ],
  ];
  for (const [change, sentence] of wrong) assert.match(await refusal(change), sentence);
  const stored = at(await getJob(app, user, node.job.id), 'tasks', 0, 'benchmark_results', 'quick_mark', 'state');
  assert.equal(stored, 'completed');
});

test('400 and 422 for what else is free JSON: launcher facts, configurations, test tasks', async () => {
  const launcher = Object.fromEntries(Array.from({ length: 65 }, (_, number) => [`fact${number}`, '1']));
  const made = await makeJob(app, user);
  const registering = await call(app, 'POST', `${API}/agent/register`, {
    headers: { authorization: `Bearer ${made.token}` },
    body: { machine_uuid: 'm', session_id: crypto.randomUUID(), agent_version: '1', protocol_version: 1, launcher },
  });
  assert.match(textAt(registering.body, 'error', 'message'), /launcher: must have at most 64 facts/);
  const benchmarks = [{ benchmark_id: 'quick_mark', config: { x: 'y'.repeat(3000) } }];
  const creating = await call(app, 'POST', `${API}/jobs`, { headers: user.authorization, body: { benchmarks } });
  assert.equal(creating.status, 400);
  assert.match(textAt(creating.body, 'error', 'message'), /config: is 30\d\d bytes; at most 2048 are kept/);
  for (const more of [{ machine_inventory: ['y'.repeat(40_000)] }, { further: 'y'.repeat(40_000) }]) {
    const body = { machine_uuid: 'm', ...more };
    const path = '/api/gpu-mark/test-task/register';
    const refused = await call(app, 'POST', path, { headers: user.authorization, body });
    assert.equal(refused.status, 422);
    assert.match(textAt(refused.body, 'detail', 0, 'msg'), /is 40\d{3} bytes; at most 32768 are kept/);
  }
});

test('413 where a task would have more results than are kept; those it has stay', async () => {
  const node = await fresh();
  assert.equal((await node.deliver()).status, 200);
  // as much as fifteen further configurations would take
  await app.platform
    .sql`update benchmark_result set raw_bytes = ${sizeCaps.taskBytes - 1500} where task_id = ${node.taskId}`;
  const refused = await node.results(node.result(honest(node.machineUuid, 1), { attempt: 2 }));
  assert.equal(refused.status, 413);
  assert.match(
    textAt(refused.body, 'error', 'message'),
    /of the task \d+ bytes; at most 25165824 are kept.*Stored results are kept/,
  );
  assert.equal((await app.platform.sql`select from benchmark_result where task_id = ${node.taskId}`).length, 1);
});

test('a job whose results are too many for an answer says which tasks have theirs elsewhere', async () => {
  const job = await makeJob(app, user, { node_count: 8 });
  for (let place = 0; place < 8; place += 1) await new Node(app, job).run();
  // results as they were stored before there were bounds: 4 MiB each
  await app.platform.sql`
    update benchmark_result set results = jsonb_set(results, '{test_results,0,details}', jsonb_build_object('note', repeat('x', ${4 << 20})))
    where job_id = ${job.id} and task_id is not null`;
  const answer = await get(`/jobs/${job.id}`);
  assert.ok(answer.text.length < sizeCaps.answerBytes + (1 << 20), `${answer.text.length} bytes`);
  assert.deepEqual(at(answer.body, 'truncated'), { tasks_without_results: 3, see: '/api/gpu-mark/v1/tasks/{task_id}' });
  assert.equal(at(answer.body, 'tasks', 4, 'benchmark_results', 'quick_mark', 'state'), 'completed');
  assert.deepEqual(at(answer.body, 'tasks', 7, 'benchmark_results'), {});
  assert.equal(at(answer.body, 'tasks', 7, 'truncated'), true);
  const list = await get(`/tasks?job_id=${job.id}&include_results=true`);
  assert.ok(list.text.length < sizeCaps.answerBytes + (1 << 20), `${list.text.length} bytes`);
  assert.equal(at(list.body, 'pagination', 'total'), 8);
  assert.equal(at(list.body, 'data', 7, 'truncated'), true);
  const task = await get(`/tasks/${textAt(answer.body, 'tasks', 7, 'id')}`);
  assert.equal(at(task.body, 'benchmark_results', 'quick_mark', 'state'), 'completed');
  const report = unpackReport(await reportData(app.context, { kind: 'job', id: job.id }));
  assert.ok(report.kind === 'job');
  assert.match(report.warnings.join(), /3 results are too large for this report/);
});

test('a page of jobs leaves out the comparison of nodes that it has no room for', async () => {
  const customer = await makeUser(app);
  for (let place = 0; place < 3; place += 1) await new Node(app, await makeJob(app, customer)).run();
  await app.platform.sql`
    update job set performance_nodes = jsonb_build_array(jsonb_build_object(
      'task_id', repeat('x', ${2 << 20}), 'status', 'unknown', 'score', null, 'metrics', '[]'::jsonb))
    where customer_id = ${customer.customerId}`;
  const path = `${API}/jobs?include=performance&include=performance_nodes`;
  const { body } = await call(app, 'GET', path, { headers: customer.authorization });
  const shown = [0, 1, 2].map((place) => at(body, 'results', place, 'truncated') ?? false);
  assert.deepEqual(shown, [false, true, true]);
  assert.equal(at(body, 'results', 1, 'performance_nodes'), null);
});
