import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { UploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { gemmMetrics, isGemmMetric, type MatrixEngine } from '../../../coordinator/contract/matrix-engine.ts';
import { deviceMetrics, type DeviceMetric } from '../../../coordinator/contract/quick-mark.ts';
import { peerBands } from '../../../coordinator/lifecycle/performance/peer-bands.ts';
import { figuresForPeers, readFigures } from '../../../coordinator/lifecycle/performance/peer-figures.ts';
import { selectFigureVotes } from '../../../coordinator/lifecycle/performance/queries.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { testApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { fiveCustomers } from './five-customers.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const user = await makeUser(app);
const customers = await fiveCustomers(app);
const additive = { fp32_ieee_tflops: 51, tf32_tflops: 310, nvfp4_tflops: 5200, mxfp4_tflops: 5000, mxfp8_tflops: 2600 };
const base: Readonly<Record<DeviceMetric, number>> = {
  fp32_tflops: 300,
  fp32_cuda_core_tflops: 50,
  fp16_tflops: 710,
  bf16_tflops: 700,
  fp8_tflops: 1400,
  mixed_precision_tflops: 600,
  ...additive,
  memory_bandwidth_gbs: 3000,
  l2_bandwidth_gbs: 5500,
  host_to_device_bandwidth_gbs: 52,
  device_to_host_bandwidth_gbs: 50,
  kernel_launch_overhead_us: 3,
  power_consumption_watts: 640,
  temperature_centigrade: 60,
  energy_consumption_wh: 4,
};
const COPY_GBS = 390;

interface Given {
  model: string;
  /** of every figure */
  times?: number;
  engine?: MatrixEngine;
  arithmetic?: 'tf32' | 'ieee fp32';
  load?: 'burst' | 'brief' | 'settled';
  tier?: 'quick' | 'standard';
  paths?: readonly string[];
  /** a figure whose samples lie too far apart to be trusted */
  unsteady?: DeviceMetric;
}

/** A node of two devices with every figure that a page shows, copies between them included. */
function measured(machineUuid: string, given: Given): UploadPayload {
  const { model, times = 1, engine = 'vendor', arithmetic = 'tf32', tier = 'quick', paths = ['NVLink x18'] } = given;
  const payload = upload(machineUuid, [{ model }, { model }]);
  const results = payload.benchmark_results.quick_mark;
  for (const device of results.test_results) {
    for (const metric of deviceMetrics) device[metric] = base[metric] * times;
    Object.assign(device, { engine, unavailable: {} });
    device.gemm = Object.fromEntries(
      gemmMetrics.map((metric) => [
        metric,
        {
          engine,
          fraction_of_spec_peak: null,
          spec_peak_tflops: null,
          ...(metric === 'fp32_tflops' ? { arithmetic } : {}),
          load: given.load ?? 'sustained',
        },
      ]),
    );
    if (given.unsteady !== undefined) {
      const value = base[given.unsteady];
      const stats = { n: 9, min: value, max: value, median: value, p5: value, p95: value, cv: 0.3 };
      device.details = { [given.unsteady]: { value, stats } };
    }
  }
  const cells = (source_gpu: string, target_gpu: string) =>
    paths.map((connection_type) => ({
      source_gpu,
      target_gpu,
      simplex_gbs: COPY_GBS * times,
      duplex_gbs: null,
      connection_type,
      verdict: 'ok' as const,
    }));
  results.aggregate_results.gpu_bandwidth_matrix = [...cells('GPU-0', 'GPU-1'), ...cells('GPU-1', 'GPU-0')];
  return { ...payload, benchmark_results: { quick_mark: { ...results, tier, engine_choice: 'auto' } } };
}

async function deliver(by: TestUser, given: Given): Promise<void> {
  const node = new Node(app, await makeJob(app, by));
  await node.register();
  const answer = await node.results(node.result(measured(node.machineUuid, given)));
  assert.equal(answer.status, 200, answer.text);
  await node.complete();
}

/** Votes of 0.99, 1.00, 1.01, 1.02 and 1.03 times the base, of two, two, two, one and one machines. */
const TIMES = [[0.98, 1], [1, 1], [1.01, 1.01], [1.02], [1.03]] as const;
const eightMachines = async (given: Given, who: readonly TestUser[] = customers): Promise<void> => {
  for (const [at, person] of who.entries())
    for (const times of TIMES[at] ?? []) await deliver(person, { ...given, times });
};

async function bandsOf(given: Given, by: TestUser = user) {
  const judged = judgeResults(measured('asks', given).benchmark_results.quick_mark);
  const copies = judged.aggregate_results.gpu_bandwidth_matrix ?? [];
  return peerBands(app.context, { ...judged, copies }, by.customerId);
}
const metricsOf = (bands: readonly { metric: string }[]): string[] => bands.map(({ metric }) => metric).toSorted();
const ALL = [...deviceMetrics, 'gpu_copies_gbs'].toSorted();
const PRODUCTS = deviceMetrics.filter(isGemmMetric);

test('every figure of a device has its band: one vote per customer, from five of them with eight machines', async () => {
  const model = 'NVIDIA Everything';
  await eightMachines({ model });
  const bands = await bandsOf({ model, times: 0.9 });
  assert.deepEqual(metricsOf(bands), ALL);
  for (const { metric, p10, median, p90, machines, values, ...band } of bands) {
    const of = metric === 'gpu_copies_gbs' ? COPY_GBS : base[metric];
    assert.deepEqual([band.customers, machines], [5, 8], metric);
    // The 10th percentile of five lies 0.4 of the way from the first to the second, the 90th likewise from the end.
    for (const [found, times] of [
      [p10, 0.99 + 0.4 * 0.01],
      [median, 1.01],
      [p90, 1.03 - 0.4 * 0.01],
    ] as const)
      assert.ok(Math.abs(found / of - times) < 1e-9, `${metric}: ${found} is not ${of} x ${times}`);
    assert.deepEqual(
      values.map(({ place, value }) => [place, value.toPrecision(9)]),
      [0, 1].map((place) => [place, (of * 0.9).toPrecision(9)]),
      metric,
    );
  }
});

test('what another engine, another arithmetic, another load, another tier or another path has measured does not count towards a band', async () => {
  const model = 'NVIDIA Of-a-kind';
  await eightMachines({ model });
  const without = async (given: Partial<Given>): Promise<string[]> => {
    const left = metricsOf(await bandsOf({ model, ...given }));
    return ALL.filter((metric) => !left.includes(metric));
  };
  assert.deepEqual(await without({}), []);
  assert.deepEqual(await without({ engine: 'own' }), PRODUCTS.toSorted());
  assert.deepEqual(await without({ arithmetic: 'ieee fp32' }), ['fp32_tflops']);
  assert.deepEqual(await without({ load: 'burst' }), PRODUCTS.toSorted());
  assert.deepEqual(await without({ tier: 'standard' }), [
    'energy_consumption_wh',
    'power_consumption_watts',
    'temperature_centigrade',
  ]);
  assert.deepEqual(await without({ paths: ['PCIe PIX'] }), ['gpu_copies_gbs']);
});

test('a machine measured by both engines has a voice in each, and the other figures one', async () => {
  const model = 'NVIDIA Twice';
  const engines = [
    ['vendor', 1],
    ['own', 0.8],
  ] as const;
  for (const [engine, times] of engines)
    for (const [at, person] of customers.entries())
      for (let n = 0; n < 2; n += 1) {
        const node = new Node(app, await makeJob(app, person), `twice-${at}-${n}`);
        await node.register();
        await node.results(node.result(measured(node.machineUuid, { model, engine, times })));
        await node.complete();
        app.clock.advance({ seconds: 1 });
      }
  for (const [engine, times] of engines) {
    const bands = await bandsOf({ model, engine });
    const of = (metric: string) => bands.find((band) => band.metric === metric);
    assert.deepEqual([of('fp16_tflops')?.median, of('fp16_tflops')?.machines], [710 * times, 10], engine);
    assert.deepEqual(
      [of('l2_bandwidth_gbs')?.median, of('l2_bandwidth_gbs')?.machines],
      [5500 * 0.8, 10],
      'the newest',
    );
  }
});

test('four customers are not a band, however many machines they have, and the own machines are not a fifth', async () => {
  const model = 'NVIDIA Four';
  const [fifth = user, ...four] = customers;
  for (const person of four) for (let n = 0; n < 3; n += 1) await deliver(person, { model });
  for (let n = 0; n < 9; n += 1) await deliver(fifth, { model, times: 0.5 });
  assert.deepEqual(await bandsOf({ model }, fifth), [], 'of four others');
  const bands = await bandsOf({ model });
  assert.deepEqual(metricsOf(bands), ALL, 'of five others');
  for (const { metric, customers: count, machines, p10 } of bands) {
    const of = metric === 'gpu_copies_gbs' ? COPY_GBS : base[metric];
    // Votes of 0.5, 1, 1, 1 and 1 times the base.
    assert.deepEqual([count, machines, (p10 / of).toFixed(9)], [5, 21, (0.5 + 0.4 * 0.5).toFixed(9)], metric);
  }
});

test('a figure that failed its check has no vote, and the others of the machine have', async () => {
  const model = 'NVIDIA Unsteady';
  const [doubtful = user, ...steady] = customers;
  for (const person of steady) for (let n = 0; n < 2; n += 1) await deliver(person, { model });
  for (let n = 0; n < 2; n += 1) await deliver(doubtful, { model, unsteady: 'fp16_tflops' });
  assert.deepEqual(
    metricsOf(await bandsOf({ model })),
    ALL.filter((metric) => metric !== 'fp16_tflops'),
  );
});

test('a node of many paths tells others of four, and devices by two engines tell nothing of their products', () => {
  const model = 'NVIDIA Words';
  const many = measured('m', { model, paths: ['a', 'b', 'c', 'd', 'e', 'f'] }).benchmark_results.quick_mark;
  const told = Object.keys(figuresForPeers(judgeResults(many)));
  assert.equal(told.filter((key) => key.startsWith('gpu_copies_gbs')).length, 4);
  assert.equal(told.length, deviceMetrics.length + 4);
  const mixed = measured('m', { model }).benchmark_results.quick_mark;
  const [first] = mixed.test_results;
  for (const of of Object.values(first?.gemm ?? {})) of.engine = 'own';
  const left = Object.keys(figuresForPeers(judgeResults(mixed)));
  assert.equal(left.length, ALL.length - PRODUCTS.length);
  assert.ok(left.every((key) => !isGemmMetric(key.split('|')[0] ?? '')));
});

test('entries of an earlier release vote on what a verdict rests on, and on the rest once their results are read', async () => {
  const model = 'NVIDIA Earlier';
  await eightMachines({ model });
  const key = 'nvidia|nvidia earlier';
  const read = () => selectFigureVotes(sql, key, 5);
  const before = await read();
  await sql`update scoreboard_entry set figures = null where model_key = ${key}`;
  const keysOf = (votes: readonly { key: string }[]): string[] => votes.map((vote) => vote.key);
  const ofVerdict = [
    'bf16_tflops|vendor|sustained',
    'device_to_host_bandwidth_gbs',
    'host_to_device_bandwidth_gbs',
    'memory_bandwidth_gbs',
  ];
  assert.deepEqual(keysOf(await read()), ofVerdict);
  assert.equal(await readFigures(app.context), 8);
  assert.deepEqual(await read(), before);
  assert.equal(await readFigures(app.context), 0);
  await sql`update scoreboard_entry set figures = null where model_key = ${key}`;
  await sql`
    update benchmark_result set results = '{"test_results": 5}'
    where task_id in (select task_id from scoreboard_entry where model_key = ${key})`;
  assert.equal(await readFigures(app.context), 8, 'once, and not again and again');
  assert.equal(await readFigures(app.context), 0);
  assert.deepEqual(keysOf(await read()), ofVerdict);
});
