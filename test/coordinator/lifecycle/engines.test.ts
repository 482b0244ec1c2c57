import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser, type Json, type TestUser } from '../../support/client.ts';
import { fiveCustomers } from './five-customers.ts';
import { at, getJob, makeJob, measuredJob, Node, textAt } from '../jobs/node.ts';
import type { Device } from '../jobs/upload.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);
const customers = await fiveCustomers(app);
const measure = (devices: Device[], by: TestUser = user) => measuredJob(app, by, devices);

test('a job that our kernels measured is not compared with those that the library measured, and a sentence says so', async () => {
  const model = 'NVIDIA A100-SXM4-80GB';
  for (let n = 0; n < 8; n += 1)
    await measure([{ model, bf16: 265, memory: 1750, engine: 'vendor' }], customers[n % customers.length]);
  const own = await measure([{ model, bf16: 200, memory: 1750, engine: 'own' }]);
  const performance = at(own, 'performance');
  assert.deepEqual(at(performance, 'notes'), [
    "bf16_tflops: not compared with 8 other machines of this model: measured with gpumark's own kernels, there with the vendor's library; run with --engine own on both to compare",
  ]);
  // 200 / 312 of the data sheet; the eight machines stay the base of the memory bandwidth
  assert.deepEqual(
    [0, 1].map((index) => [
      at(performance, 'metrics', index, 'basis'),
      at(performance, 'metrics', index, 'sample_size'),
      at(performance, 'metrics', index, 'ratio'),
    ]),
    [
      ['spec', 0, 0.641],
      ['peers', 8, 1],
    ],
  );
  assert.equal(at(performance, 'status'), 'nominal', '0.641 is below the floor of libraries, which is not its own');
  assert.equal(at(own, 'scoreboard_summary', 'of'), 1, 'it ranks among its own');
  const library = await measure([{ model, bf16: 200, memory: 1750, engine: 'vendor' }]);
  assert.equal(at(library, 'performance', 'status'), 'underperforming', '200 / 265');
  assert.equal(at(library, 'performance', 'notes'), undefined);
  assert.equal(at(library, 'scoreboard_summary', 'of'), 6, 'five other customers and itself');
});

test('a machine measured by both engines has a voice in each group, and its other figures one', async () => {
  const model = 'NVIDIA Both-engines';
  for (const [place, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries())
    for (const engine of ['vendor', 'own'] as const) {
      const job = await makeJob(app, customers[place % customers.length] ?? user);
      await new Node(app, job, `both-${name}`).run([{ model, engine, bf16: engine === 'own' ? 100 : 120 }]);
    }
  for (const [engine, expected] of [
    ['vendor', 120],
    ['own', 100],
  ] as const) {
    const job = await measure([{ model, engine, bf16: 100 }]);
    const [bf16, memory] = [0, 1].map((index) => at(job, 'performance', 'metrics', index));
    assert.deepEqual([at(bf16, 'expected'), at(bf16, 'sample_size')], [expected, 8], engine);
    assert.equal(at(memory, 'sample_size'), 8);
    // the second job finds the machine of the first one in its own fleet, whose bf16 the other engine measured
    const fleet = engine === 'vendor' ? undefined : 'memory_bandwidth_gbs';
    assert.equal(at(job, 'performance', 'own_fleet', 0, 'metric'), fleet);
  }
});

test('a node or a job of both engines has no bf16 to compare: the sum is marked, the comparison says why', async () => {
  const model = 'NVIDIA Mixed';
  const node = await measure([
    { model, bf16: 700, engine: 'vendor' },
    { model, bf16: 690, engine: 'own' },
  ]);
  const of = (job: Json) => [
    at(job, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results', 'bf16_tflops'),
    at(job, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results', 'engines', 'bf16_tflops'),
  ];
  assert.deepEqual(of(node), [1390, 'mixed']);
  const job = await makeJob(app, user, { node_count: 2 });
  await new Node(app, job, 'mixed-1').run([{ model, bf16: 700, engine: 'vendor' }]);
  await new Node(app, job, 'mixed-2').run([{ model, bf16: 690, engine: 'own' }]);
  const whole = await getJob(app, user, job.id);
  assert.deepEqual(of(whole), [1390, 'mixed']);
  for (const one of [node, whole]) {
    assert.match(textAt(one, 'performance', 'notes', 0), /^bf16_tflops: not compared: measured with the vendor's/);
    assert.equal(at(one, 'performance', 'metrics', 0, 'metric'), 'memory_bandwidth_gbs');
  }
  const lines = at(whole, 'benchmark_results', 'quick_mark', 'results', 'test_results');
  assert.deepEqual(
    [0, 1].map((line) => at(lines, line, 'gemm', 'bf16_tflops', 'engine')),
    ['vendor', 'own'],
  );
});
