import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../support/client.ts';
import { fiveCustomers } from './five-customers.ts';
import { at, evidenceOf, getJob, makeJob, Node, textAt } from '../jobs/node.ts';
import { H100, upload, type Device } from '../jobs/upload.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const innocent = await makeUser(app);
const hostile = await makeUser(app);
const measure = async (by: TestUser, device: Device): Promise<Json> => {
  const job = await makeJob(app, by);
  await new Node(app, job).run([{ engine: 'vendor', copies: null, ...device }]);
  return getJob(app, by, job.id);
};
const bf16Of = (job: Json) => {
  const metric = (name: string) => at(job, 'performance', 'metrics', 0, name);
  return [metric('expected'), metric('basis'), at(job, 'performance', 'status')];
};

test('eight made-up machines of one customer move nobody else’s expected values', async () => {
  const before = [bf16Of(await measure(innocent, { bf16: 700 })), bf16Of(await measure(innocent, { bf16: 480 }))];
  assert.deepEqual(before, [
    [677, 'reference', 'nominal'],
    [677, 'reference', 'underperforming'],
  ]);
  // the last is within the published band: nothing but the number of customers keeps it out
  for (const bf16 of [3000, 100, 1080]) {
    for (let n = 0; n < 8; n += 1) await measure(hostile, { bf16 });
    const now = [bf16Of(await measure(innocent, { bf16: 700 })), bf16Of(await measure(innocent, { bf16: 480 }))];
    assert.deepEqual(now, before, `after eight machines of ${bf16}`);
  }
});

test('figures above the published peak are kept, marked, warned of, unranked and no yardstick, from every sender', async () => {
  const model = 'NVIDIA H200';
  for (const customer of await fiveCustomers(app))
    for (let n = 0; n < 2; n += 1) await measure(customer, { model, bf16: 700, memory: 9000 });
  const job = await measure(hostile, { model, bf16: 700, memory: 9000 });
  assert.equal(at(job, 'state'), 'completed_with_warnings');
  assert.equal(at(job, 'scoreboard_summary'), null);
  const device = at(job, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results', 'test_results', 0);
  assert.equal(at(device, 'memory_bandwidth_gbs'), 9000, 'kept as it was sent');
  assert.deepEqual(at(device, 'verdicts', 'memory_bandwidth_gbs', 'verdict'), 'bad');
  assert.match(
    textAt(device, 'verdicts', 'memory_bandwidth_gbs', 'rule'),
    /^judged by the coordinator: spec band: 9000/,
  );
  assert.match(textAt(device, 'unranked'), /^memory_bandwidth_gbs: 9000 GB\/s is above the physical limit of 4800/);
  assert.deepEqual([at(job, 'performance', 'status'), at(job, 'performance', 'score')], ['unknown', null]);
  assert.match(textAt(job, 'performance', 'notes', 0), /neither judged nor ranked: memory_bandwidth_gbs/);
  assert.match(evidenceOf(job).join('\n'), /kept, but neither ranked nor used for comparison: memory_bandwidth_gbs/);
  const honest = await measure(innocent, { model, bf16: 700, memory: 4000 });
  assert.deepEqual(
    [0, 1].map((place) => at(honest, 'performance', 'metrics', place, 'basis')),
    ['reference', 'reference'],
    'neither their memory nor the rest of such machines has a vote',
  );
  assert.deepEqual([at(honest, 'scoreboard_summary', 'rank'), at(honest, 'scoreboard_summary', 'of')], [1, 1]);
});

test('a figure with a doubtful verdict has no vote, the others of its device have', async () => {
  const model = 'NVIDIA A100-SXM4-80GB';
  for (const customer of await fiveCustomers(app))
    for (let n = 0; n < 2; n += 1) await measure(customer, { model, bf16: 100, memory: 1800 });
  const job = await measure(innocent, { model, bf16: 265, memory: 1800 });
  assert.deepEqual(
    [0, 1].map((place) => [
      at(job, 'performance', 'metrics', place, 'basis'),
      at(job, 'performance', 'metrics', place, 'customers'),
    ]),
    [
      ['spec', 0],
      ['peers', 5],
    ],
    '100 of 312 TFLOP/s is below what healthy cards reach',
  );
});

test('a customer takes one place in a ranking, however many jobs it makes', async () => {
  const model = 'NVIDIA H200';
  const first = await measure(innocent, { model, bf16: 700 });
  for (let n = 0; n < 6; n += 1) await measure(hostile, { model, bf16: 1000 });
  const again = await getJob(app, innocent, textAt(first, 'id'));
  assert.deepEqual([at(again, 'scoreboard_summary', 'rank'), at(again, 'scoreboard_summary', 'of')], [2, 2]);
});

test('sums are the coordinator’s: what an upload says of them is read nowhere', async () => {
  const job = await makeJob(app, innocent);
  const node = new Node(app, job);
  await node.register();
  const payload = upload(node.machineUuid, [{ bf16: 700 }, { bf16: 710 }]);
  const sums = payload.benchmark_results.quick_mark.aggregate_results;
  Object.assign(sums, { bf16_tflops: 900_000, memory_bandwidth_gbs: 7, fp8_tflops: 5, notes: ['the best of all'] });
  assert.equal((await node.results(node.result(payload))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const whole = await getJob(app, innocent, job.id);
  const list = await call(app, 'GET', `/api/gpu-mark/v1/jobs?include_results=true&name=${job.name}`, {
    headers: innocent.authorization,
  });
  for (const aggregate of [
    at(whole, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results'),
    at(whole, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results'),
    at(whole, 'quickmark_aggregate_results'),
    at(list.body, 'results', 0, 'quickmark_aggregate_results'),
  ]) {
    assert.deepEqual([at(aggregate, 'bf16_tflops'), at(aggregate, 'memory_bandwidth_gbs')], [1410, 6000]);
    assert.deepEqual([at(aggregate, 'fp8_tflops'), at(aggregate, 'notes')], [undefined, undefined]);
  }
});

test('a figure beyond its bound is refused, with its name', async () => {
  const job = await makeJob(app, innocent);
  const node = new Node(app, job);
  await node.register();
  const payload = upload(node.machineUuid, [{ model: H100, bf16: 100_001 }]);
  const answer = await node.results(node.result(payload));
  assert.equal(answer.status, 400);
  assert.match(answer.text, /test_results\.0\.bf16_tflops/);
});
