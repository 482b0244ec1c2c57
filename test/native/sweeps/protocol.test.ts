import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import type { RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { deviceMetrics, quickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { built, eventsOf, ofKind } from '../built-runner.ts';

/** Share of the quick tier's time: the events are the same, and other tests need the cores. */
const TIME_SCALE = 0.2;

/** One complete quick run; every line was validated by the schema. */
let events: RunnerEvent[] = [];
before(async () => {
  const runner = await built('gpumark-runner');
  const args = ['run', '--device', 'cpu', '--benchmarks', 'all', '--tier', 'quick', '--time-scale', String(TIME_SCALE)];
  events = await eventsOf(runner, args);
});

const result = (metric: string) => {
  const [found, ...more] = ofKind(events, 'result').filter((event) => event.metric === metric);
  assert.ok(found !== undefined && more.length === 0, `${metric} is answered exactly once`);
  return found;
};

/** The products of 16-bit inputs, and the instruction sets that each needs one of. */
const products16bit = [
  { metric: 'bf16_tflops', sets: ['amx-bf16', 'avx512-bf16', 'neon-bf16'] },
  { metric: 'fp16_tflops', sets: ['amx-fp16', 'neon-fhm'] },
  { metric: 'mixed_precision_tflops', sets: ['amx-fp16', 'neon-fhm'] },
];
const instructionsOf = ({ sets }: { sets: readonly string[] }): boolean => {
  const found = ofKind(events, 'device')[0]?.attributes['isa'];
  return Array.isArray(found) && sets.some((set) => found.includes(set));
};

test('the device comes first, the summary last, and time does not run backwards', () => {
  assert.equal(events[0]?.event, 'device');
  assert.equal(events.at(-1)?.event, 'summary');
  assert.equal(ofKind(events, 'summary')[0]?.exit_code, 0);
  const times = events.map((event) => event.t_ms);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('phases come in pairs and are numbered consecutively', () => {
  const phases = ofKind(events, 'phase');
  for (const [position, phase] of phases.entries()) {
    assert.equal(phase.state, position % 2 === 0 ? 'start' : 'end');
    assert.equal(phase.index, Math.floor(position / 2));
    assert.equal(phase.count, phases.length / 2);
  }
});

// Of 60: processors with all three 16-bit products have 25.1 s, others 16.7 or 19.5.
test('the quick tier is planned for less than 31 s on this processor, sustained products included', () => {
  const starts = ofKind(events, 'phase').filter((phase) => phase.state === 'start');
  const planned = starts.reduce((sum, phase) => sum + phase.expected_seconds, 0) / TIME_SCALE;
  assert.ok(planned > 5 && planned < 26, `${planned} s measuring leaves 5 s for preparing and verifying`);
});

test('every metric of the interface is reported once: as a value, or as null with a reason', () => {
  for (const metric of deviceMetrics) result(metric);
});

test('the figures of a processor are measured, verified and positive', () => {
  for (const metric of [
    'clock_ghz',
    'fma_fp32_tflops',
    'fma_fp64_tflops',
    'fp32_tflops',
    'fp64_tflops',
    'memory_bandwidth_gbs',
    'memory_copy_gbs',
  ]) {
    const { value, verified, stats } = result(metric);
    assert.ok(value !== null && value > 0, metric);
    // On aarch64 the clock has no second chain as a cross-check.
    assert.ok(verified === true || (metric === 'clock_ghz' && process.arch !== 'x64'), metric);
    assert.ok(
      stats !== null && stats.n >= 3 && stats.min <= value && value <= stats.max && value === stats.median,
      metric,
    );
  }
  assert.ok((result('kernel_launch_overhead_us').value ?? 0) > 0);
});

test('a product of 16-bit inputs is measured exactly if the processor has instructions for it, by a real kernel', () => {
  for (const product of products16bit) {
    const { value, verified, details } = result(product.metric);
    assert.equal(value !== null, instructionsOf(product), product.metric);
    if (value === null) continue;
    assert.equal(verified, true);
    assert.ok(product.sets.includes(String(details['isa'])), String(details['isa']));
  }
});

test('what a processor does not have is null, with a reason', () => {
  for (const metric of [
    ...products16bit.filter((product) => !instructionsOf(product)).map(({ metric }) => metric),
    'fp8_tflops',
    'host_to_device_bandwidth_gbs',
    'device_to_host_bandwidth_gbs',
    'fma_fp16_tflops',
    'memory_latency_ns',
    'l2_latency_ns',
    'repeat_checks',
  ]) {
    const { value, reason, stats, details } = result(metric);
    assert.equal(value, null);
    assert.equal(details['absence'], 'hardware', metric);
    assert.match(reason ?? '', /^[a-z].{20,}/);
    assert.equal(stats, null);
  }
});

test('a result has a kind of absence exactly if it has no value', () => {
  for (const { metric, value, details } of ofKind(events, 'result')) {
    const { absence } = details;
    assert.equal(absence === 'hardware' || absence === 'failed', value === null, `${metric}: ${String(absence)}`);
    assert.equal(absence === undefined, value !== null, metric);
  }
});

test('every timed figure carries the core share of its own series', () => {
  const share = (metric: string) => result(metric).details['core_share'];
  for (const metric of ['clock_ghz', 'fp64_tflops', 'memory_bandwidth_gbs', 'memory_copy_gbs']) {
    const value = Number(share(metric));
    assert.ok(value > 0 && value <= 1, metric);
  }
  assert.equal(share('fp32_tflops'), share('fp32_cuda_core_tflops'), 'one series, two figures');
  // Two series of some hundred slices agree in nine digits only if neither was ever interrupted.
  const [fp32, fp64] = [share('fma_fp32_tflops'), share('fma_fp64_tflops')];
  assert.ok(fp32 !== undefined && (fp32 !== fp64 || fp32 === 1), 'two series, two shares');
});

test('a matrix product is not faster than the best slice of its type’s multiply-add probe', () => {
  for (const [product, probe] of [
    ['fp32_tflops', 'fma_fp32_tflops'],
    ['fp64_tflops', 'fma_fp64_tflops'],
  ] as const) {
    const [value, best] = [result(product).value ?? 0, result(probe).stats?.max ?? 0];
    // 5 % above, because the clock may rise between the two.
    assert.ok(value > 0 && value < best * 1.05, `${product} ${value}, probe ${best}`);
  }
});

test('the arrays of the triad are at least 1 GiB each, unless memory is limited and that is reported, and 4x the last-level cache', () => {
  const details = result('memory_bandwidth_gbs').details;
  // Rounded down to whole grains of 4096 elements.
  const whole = Number(details['array_bytes']) > 2 ** 30 - 4096 * 8;
  assert.deepEqual([details['full_size'], whole], [true, true]);
  assert.equal(details['arrays'], 3);
  assert.ok(Number(details['times_last_level_cache']) >= 4);
});

test('cache bandwidth is reported only if reading four times the cache is clearly slower', () => {
  const { value, reason, details } = result('l2_bandwidth_gbs');
  const sweep = details['sweep'] as { times_cache: number; gbs: number }[];
  assert.deepEqual(
    sweep.map((point) => point.times_cache),
    [0.25, 0.375, 0.5, 0.75, 1.5, 4],
  );
  const falls = (sweep.at(-1)?.gbs ?? 0) <= 0.8 * Number(details['measured_gbs']);
  assert.equal(details['falls_beyond_cache'], falls);
  assert.equal(value !== null, falls, reason ?? 'a value');
});

test('the number of emitted samples is that of the statistics', () => {
  for (const metric of ['fp32_tflops', 'memory_bandwidth_gbs', 'memory_copy_gbs']) {
    const said = ofKind(events, 'sample').filter((sample) => sample.metric === metric);
    assert.equal(said.length, result(metric).stats?.n);
    assert.deepEqual(
      said.map((sample) => sample.index),
      said.map((_, index) => index),
    );
  }
});

test('the events assemble into an upload entry that the contract accepts', () => {
  const entry = quickMarkTestResult.parse(assembleQuickMark(events, 'cpu-0'));
  assert.equal(entry.vendor, 'cpu');
  assert.equal(entry.fp32_tflops, result('fp32_tflops').value);
  assert.deepEqual(
    Object.keys(entry.unavailable),
    deviceMetrics.filter((metric) => entry[metric] === null),
  );
});
