import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregate, assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import type { RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { quickMarkAggregate, quickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';

/** An event as the runner writes it, through the parser. */
function event(fields: Record<string, unknown>): RunnerEvent {
  const parsed = parseLine(JSON.stringify({ schema: 'gpumark.native/1', t_ms: 1, ...fields }));
  assert.ok(parsed !== null);
  return parsed;
}

const device = (device_id: string, vendor: 'cpu' | 'nvidia' = 'nvidia') =>
  event({
    event: 'device',
    backend: vendor === 'cpu' ? 'cpu' : 'cuda',
    vendor,
    status: 'ok',
    detail: 'd',
    device_id,
    pci_id: '0000:01:00.0',
    name: 'Card X',
    memory_bytes: 80e9,
    simulated: vendor !== 'cpu',
    attributes: { sm: 132 },
  });

const result = (device_id: string, metric: string, value: number | null, more: Record<string, unknown> = {}) =>
  event({
    event: 'result',
    device_id,
    benchmark: 'b',
    metric,
    value,
    unit: 'u',
    reason: value === null ? `no ${metric} here` : null,
    stats: null,
    verified: value === null ? null : true,
    engine: 'own',
    details: { shape: 'm' },
    ...more,
  });

const entry = (id: string, figures: Record<string, number | null>, vendor: 'cpu' | 'nvidia' = 'nvidia') =>
  assembleQuickMark(
    [device(id, vendor), ...Object.entries(figures).map(([metric, value]) => result(id, metric, value))],
    id,
  );

test('every figure of the interface is present, null ones with the runner’s reason or that it was not reported', () => {
  const assembled = quickMarkTestResult.parse(entry('gpu-a', { fp32_tflops: 50, fp8_tflops: null }));
  assert.equal(assembled.fp32_tflops, 50);
  assert.equal(assembled.unavailable['fp8_tflops'], 'no fp8_tflops here');
  assert.match(assembled.unavailable['bf16_tflops'] ?? '', /ended before/);
  assert.equal(Object.keys(assembled.unavailable).length, 13);
  assert.deepEqual(
    [assembled.gpu_id, assembled.gpu_model, assembled.vendor, assembled.simulated],
    ['gpu-a', 'Card X', 'nvidia', true],
  );
});

test('a figure beyond the interface is present if the runner reports it, with its reason if it is null', () => {
  const assembled = quickMarkTestResult.parse(entry('gpu-a', { tf32_tflops: 400, nvfp4_tflops: null }));
  assert.deepEqual([assembled.tf32_tflops, assembled.nvfp4_tflops], [400, null]);
  assert.equal(assembled.unavailable['nvfp4_tflops'], 'no nvfp4_tflops here');
  assert.ok(!('mxfp8_tflops' in assembled) && !('mxfp8_tflops' in assembled.unavailable));
});

test('a figure that failed its verification is dropped, even if the runner reports a value', () => {
  const events = [device('g'), result('g', 'fp32_tflops', 50, { verified: false })];
  const assembled = assembleQuickMark(events, 'g');
  assert.equal(assembled.fp32_tflops, null);
  assert.match(assembled.unavailable['fp32_tflops'] ?? '', /verification/);
  assert.deepEqual((assembled.details['fp32_tflops'] as { value: unknown }).value, null);
});

test('results of another device are not mixed in', () => {
  const events = [device('g'), device('h'), result('h', 'fp32_tflops', 7), result('g', 'fp32_tflops', 50)];
  assert.equal(assembleQuickMark(events, 'g').fp32_tflops, 50);
  assert.equal(assembleQuickMark(events, 'h').fp32_tflops, 7);
});

test('metrics beyond the interface stay in the details with their value', () => {
  const assembled = entry('g', { clock_ghz: 3.1 });
  assert.deepEqual(assembled.details['clock_ghz'], {
    value: 3.1,
    unit: 'u',
    stats: null,
    verified: true,
    engine: 'own',
    benchmark: 'b',
    shape: 'm',
  });
});

test('one engine is named, mixed engines are null, nothing measured is null', () => {
  // memory is not a matrix product, whatever measured it
  const memory = [device('g'), result('g', 'fp32_tflops', 1, { engine: 'vendor' }), result('g', 'memory_copy_gbs', 2)];
  assert.equal(assembleQuickMark(memory, 'g').engine, 'vendor');
  assert.equal(entry('g', { fp32_tflops: 1 }).engine, 'own');
  assert.equal(entry('g', {}).engine, null);
  const mixed = [device('g'), result('g', 'fp32_tflops', 1), result('g', 'bf16_tflops', 2, { engine: 'vendor' })];
  assert.equal(assembleQuickMark(mixed, 'g').engine, null);
});

test('the share of the published rate is in the details and beside the figure, for whole real cards only', () => {
  const H100 = { name: 'NVIDIA H100 80GB HBM3', simulated: false };
  const shares = (rest: object, metric = 'bf16_tflops', more: Record<string, unknown> = {}) => {
    const card = { ...device('g'), ...H100, ...rest } as RunnerEvent;
    const id = card.event === 'device' ? card.device_id : '';
    const assembled = assembleQuickMark([card, result(id, metric, 715, more)], id);
    const { fraction_of_spec_peak } = assembled.details[metric] as Record<string, unknown>;
    assert.equal(assembled.gemm?.[metric]?.fraction_of_spec_peak ?? undefined, fraction_of_spec_peak);
    return fraction_of_spec_peak;
  };
  // 715 / 989.4
  assert.equal(shares({}), 0.7227);
  for (const rest of [
    { simulated: true },
    { device_id: 'MIG-1' },
    { attributes: { partition: { compute: 'CPX' } } },
    { name: 'NVIDIA Z999' },
  ])
    assert.equal(shares(rest), undefined);
  assert.equal(shares({ name: 'AMD EPYC', vendor: 'cpu' }), undefined);
  // 254 of the 209.5 published for a card that is sold overclocked
  assert.equal(shares({ name: 'NVIDIA GeForce RTX 5090' }, 'bf16_tflops', { value: 254 }), 1.2124);
  assert.equal(shares({}, 'bf16_tflops', { verified: false }), undefined, 'a wrong product has no speed');
  assert.equal(shares({}, 'fp32_tflops', { value: 364.2, details: { mode: 'tf32' } }), 0.7362);
});

test('the state of the run is included, and a run that broke off has none', () => {
  const summary = event({ event: 'summary', exit_code: 0, seconds: 20, contended: true, contention_ratio: 1.4 });
  const run = assembleQuickMark([device('g'), summary], 'g').details['run'];
  assert.deepEqual(run, { seconds: 20, exit_code: 0, contended: true, contention_ratio: 1.4 });
  assert.equal(assembleQuickMark([device('g')], 'g').details['run'], null);
});

test('a device that the runner did not report cannot be assembled', () => {
  assert.throws(() => assembleQuickMark([device('g')], 'h'), RangeError);
});

const whole = {
  fp32_tflops: 50,
  fp16_tflops: 600,
  bf16_tflops: 700,
  memory_bandwidth_gbs: 3000,
  power_consumption_watts: 650,
  temperature_centigrade: 60,
};

test('compute, bandwidth and power add up, temperature is the maximum', () => {
  const node = quickMarkAggregate.parse(
    aggregate([entry('a', whole), entry('b', { ...whole, fp32_tflops: 48, temperature_centigrade: 71 })]),
  );
  // 50 + 48, 2 x 600, 2 x 700, 2 x 3000, 2 x 650; max(60, 71).
  assert.deepEqual(
    [
      node.fp32_tflops,
      node.fp16_tflops,
      node.bf16_tflops,
      node.memory_bandwidth_gbs,
      node.power_consumption_watts,
      node.temperature_centigrade,
    ],
    [98, 1200, 1400, 6000, 1300, 71],
  );
});

test('with one device the aggregate equals its figures', () => {
  const { gpu_id, unavailable, engines, ...figures } = aggregate([entry('a', whole)]);
  assert.deepEqual(engines, { fp32_tflops: 'own', fp16_tflops: 'own', bf16_tflops: 'own' });
  assert.deepEqual([gpu_id, figures, unavailable], ['aggregate', whole, {}]);
});

test('a figure that one device lacks is null for the node and names that device', () => {
  const node = aggregate([
    entry('a', whole),
    entry('b', { ...whole, fp16_tflops: null, temperature_centigrade: null }),
  ]);
  assert.deepEqual([node.fp16_tflops, node.temperature_centigrade, node.fp32_tflops], [null, null, 100]);
  assert.equal(node.unavailable['fp16_tflops'], 'GPU 1: no fp16_tflops here');
  assert.equal(node.unavailable['temperature_centigrade'], 'GPU 1: no temperature_centigrade here');
});

test('no devices, or a processor among GPUs, have no aggregate', () => {
  assert.throws(() => aggregate([]), RangeError);
  assert.throws(() => aggregate([entry('a', whole), entry('cpu-0', whole, 'cpu')]), RangeError);
});

test('fp32 is uploaded with its arithmetic; no other product is, nor one that failed its verification', () => {
  const told = (metric: string, details: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    assembleQuickMark([device('g'), result('g', metric, 50, { details, ...more })], 'g').gemm?.[metric];
  assert.equal(told('fp32_tflops', { arithmetic: 'tf32' })?.arithmetic, 'tf32');
  assert.equal(told('fp32_tflops', { arithmetic: 'ieee fp32' })?.arithmetic, 'ieee fp32');
  assert.equal(told('fp32_tflops', {})?.arithmetic, undefined);
  const { engine, arithmetic } = told('bf16_tflops', { arithmetic: 'tf32' }) ?? assert.fail();
  assert.deepEqual([engine, arithmetic], ['own', undefined]);
  assert.equal(told('fp32_tflops', { arithmetic: 'tf32' }, { verified: false }), undefined);
});
