import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runnerStats } from '../../agent/kernels/runner-events.ts';
import { quickMarkMetrics } from '../../coordinator/contract/quick-mark.ts';
import { ofKind } from './built-runner.ts';
import type { SimulatedVendor } from './simulated-driver.ts';
import { type SimulatedRun, backendOf, runOn } from './simulated-gpus.ts';

const further = [
  'clock_ghz',
  'fma_fp32_tflops',
  'fma_fp64_tflops',
  'fma_fp16_tflops',
  'fp64_tflops',
  'fp32_ieee_tflops',
  'tf32_tflops',
];
const issue = ['fp16', 'bf16', 'fp8', 'tf32', 'fp64'].map((type) => `matrix_issue_${type}_tflops`);
const onlyGpus = ['memory_copy_gbs', 'memory_latency_ns', 'l2_latency_ns', 'repeat_checks', 'march_passes'];
/** Of Blackwell and CDNA 4: gpu-block-scaled.test.ts. Neither sm_90 nor gfx942 has them. */
const blockScaled = ['nvfp4_tflops', 'mxfp4_tflops', 'mxfp8_tflops'];
const every = [...new Set([...quickMarkMetrics, ...further, ...onlyGpus, ...issue])];

// A simulated card's cache is this machine's: another process on its core can make it no faster than its memory, and
// the runner then withholds the figure, as it must.
function withheldRightly(metric: string, reason: string | null): boolean {
  return metric === 'l2_bandwidth_gbs' && /was no slower than/.test(reason ?? '');
}

interface Part {
  gbs: number;
  n: number;
  bytes_per_element: number;
  blocks: number;
}

/** Registers the tests of what a whole run of one sound simulated card says. */
export function testSoundGpu(vendor: SimulatedVendor): void {
  describe(`a sound ${vendor} device`, () => {
    let run: SimulatedRun;
    before(async () => {
      run = await runOn({ drivers: [vendor] }, ['run', '--device', backendOf[vendor]]);
      assert.equal(run.exitCode, 0, run.codes.join());
    });

    test('is announced once, before any other event, as simulated and with the image that its driver accepted', () => {
      const [device, ...more] = run.devices;
      assert.ok(device !== undefined && more.length === 0 && run.events[0] === device);
      assert.equal(device.simulated, true);
      const image = vendor === 'nvidia' ? 'sm_90 cubin' : 'gfx942 code object';
      assert.equal(device.attributes['image'], image);
      assert.ok((device.attributes['images'] as string[]).includes(image));
    });

    test('reports every metric exactly once, with a value', () => {
      assert.equal(ofKind(run.events, 'result').length, every.length + blockScaled.length);
      for (const metric of blockScaled) assert.match(run.result(metric).reason ?? '', /has no matrix instructions for/);
      for (const metric of every) {
        const { value, reason } = run.result(metric);
        // At a fiftieth of its time the probes' load may be too short for a mean power.
        if (metric === 'power_consumption_watts') continue;
        if (value === null && withheldRightly(metric, reason)) continue;
        assert.notEqual(value, null, `${metric}: ${reason}`);
      }
    });

    test('has statistics that are consistent with each other and with the samples', () => {
      for (const { metric, value, reason, stats, details } of ofKind(run.events, 'result')) {
        if (stats === null) continue;
        const { n, min, p5, median, p95, max, cv } = stats;
        assert.ok(n >= 3 && cv >= 0, metric);
        const isProduct = 'counted_products' in details;
        const isFigure = isProduct ? value !== null && value >= min && value <= max : value === median;
        assert.ok(isFigure || (value === null && withheldRightly(metric, reason)), `${metric}: ${reason}`);
        const rising = [min, p5, median, p95, max];
        assert.deepEqual(
          rising,
          rising.toSorted((a, b) => a - b),
          metric,
        );
        const samples = ofKind(run.events, 'sample').filter((sample) => sample.metric === metric);
        if (n > 200) continue;
        assert.equal(samples.length, n, metric);
        const values = samples.map((sample) => sample.value).toSorted((a, b) => a - b);
        assert.deepEqual([values[0], values.at(-1)], [min, max], metric);
        const middle = ((values[Math.floor((n - 1) / 2)] ?? 0) + (values[Math.ceil((n - 1) / 2)] ?? 0)) / 2;
        assert.ok(Math.abs(median / middle - 1) < 1e-8, metric);
        if (!isProduct || value === null) continue;
        // Stretches of equal work one after the other: all operations over all of their time.
        const time = values.reduce((sum, rate) => sum + 1 / rate, 0);
        assert.ok(Math.abs((value * time) / n - 1) < 1e-6, `${metric}: ${value}`);
        const [seconds, products] = [details['counted_seconds'], details['counted_products']].map(Number);
        const [m, columns, k] = ['m', 'n', 'k'].map((side) => Number(details[side]));
        const operations = 2 * (m ?? 0) * (columns ?? 0) * (k ?? 0) * (products ?? 0);
        assert.ok(Math.abs(operations / (seconds ?? 0) / 1e12 / value - 1) < 1e-6, `${metric} over its seconds`);
      }
    });

    test('counts the bytes that a program reads and writes: 24, 16, 8 and 8 per element', () => {
      const { value, verified, details } = run.result('memory_bandwidth_gbs');
      const part = (name: string) => details[name] as Part;
      assert.deepEqual(
        ['triad', 'copy', 'write', 'read'].map((name) => part(name).bytes_per_element),
        [24, 16, 8, 8],
      );
      assert.equal(part('triad').gbs, value);
      assert.equal(verified, true);
      // 32 MiB less 8 MiB for the context, nine tenths of it, a third for each array: less than 1 GiB, and reported so.
      assert.ok(Number(details['array_bytes']) <= (24 * 2 ** 20 * 0.9) / 3);
      assert.equal(Number(details['array_bytes']) % 32768, 0);
      assert.equal(details['full_size'], false);
      assert.equal(details['times_last_level_cache'], Number(details['array_bytes']) / 2 ** 20);
    });

    test('shows the second-level cache at six sizes, each a prime number of tiles', () => {
      const { details } = run.result('l2_bandwidth_gbs');
      const sweep = details['sweep'] as { times_cache: number; bytes: number }[];
      assert.deepEqual(
        sweep.map((point) => point.times_cache),
        [0.25, 0.375, 0.5, 0.75, 1.5, 4],
      );
      // The cache is 1 MiB, a tile 32 KiB: 8, 12, 16, 24, 48 and 128 tiles, and the primes below.
      assert.deepEqual(
        sweep.map((point) => point.bytes / 32768),
        [7, 11, 13, 23, 47, 127],
      );
      assert.equal(details['set_bytes'], 11 * 32768);
    });

    test('measures latencies over sets of a power of two: the largest available for memory, within the cache for the cache', () => {
      // 24 MiB free, nine tenths of it, half of that: 10.8 MiB, of which 8 is the power; 0.4 MiB of the cache, of which 0.25 is.
      assert.equal(run.result('memory_latency_ns').details['set_bytes'], 8 * 2 ** 20);
      assert.equal(run.result('l2_latency_ns').details['set_bytes'], 2 ** 18);
      assert.ok((run.result('l2_latency_ns').value ?? 0) < (run.result('memory_latency_ns').value ?? 0));
    });

    test('gives the energy of the run in Wh: counter end minus start over 3600, near the integrated power', () => {
      const { value, details } = run.result('energy_consumption_wh');
      assert.ok(Math.abs((value ?? 0) / (Number(details['joules']) / 3600) - 1) < 1e-6);
      const [counter, integrated] = [Number(details['counter_wh']), Number(details['integrated_wh'])];
      assert.ok(Math.abs(Number(details['ratio']) / (counter / integrated) - 1) < 1e-6);
      // The counter is published whether or not it agrees with the power; the details report that.
      assert.equal(value, counter);
      assert.equal(typeof details['counter_agrees'], 'boolean');
      // 70 W at rest, 400 W at most.
      const mean_watts = Number(details['joules']) / Number(details['seconds']);
      assert.ok(mean_watts > 70 && mean_watts < 400, `${mean_watts} W`);
    });

    test('keeps the host’s speed out of every figure: kernels are loaded before a stream is held', () => {
      // The simulated driver of 13.0 loads a kernel at its first launch, which then waits for the one that holds the stream.
      for (const { metric, details } of ofKind(run.events, 'result')) {
        if ('held_until_enqueued' in details) assert.equal(details['held_until_enqueued'], true, metric);
      }
      // The same holds for a graph, whose first launch uploads it.
      assert.equal(run.result('kernel_launch_overhead_us').details['held_until_enqueued'], true);
    });

    test('has n and spread for what stands in details as for every figure: copies in both directions, a node of a graph', () => {
      const inDetails = [
        ['host_to_device_bandwidth_gbs', 'both_directions_gbs', 'both_directions_stats', 5],
        ['device_to_host_bandwidth_gbs', 'both_directions_gbs', 'both_directions_stats', 5],
        ['kernel_launch_overhead_us', 'graph_node_us', 'graph_node_stats', 5],
      ] as const;
      for (const [metric, figure, spread, least] of inDetails) {
        const { details } = run.result(metric);
        const stats = runnerStats.parse(details[spread]);
        assert.ok(stats.n >= least && stats.cv >= 0 && stats.min <= stats.median && stats.median <= stats.max, metric);
        assert.equal(stats.median, details[figure], metric);
      }
      // Two cards of one kind differed by half in it.
      assert.match(String(run.result('kernel_launch_overhead_us').details['graph_node_note']), /^not for comparison/);
    });

    test('reports its clock of 1 GHz', () => {
      const ghz = run.result('clock_ghz').value ?? 0;
      assert.ok(Math.abs(ghz - 1) < 0.02, `${ghz} GHz`);
    });

    test('emits telemetry of power, temperature and clock', () => {
      const seen = ofKind(run.events, 'telemetry');
      assert.ok(seen.length >= 2 && seen.every((one) => one.device_id === run.devices[0]?.device_id));
      // An idle card has 35 degrees, which ROCm SMI cuts to whole thousandths.
      assert.ok(seen.every((one) => (one.power_watts ?? 0) > 69.99 && (one.temperature_celsius ?? 0) > 34.99));
      // The simulated AMD device reports no throttle state: null, which is not the same as no throttling.
      assert.ok(seen.every((one) => (vendor === 'nvidia' ? Array.isArray(one.throttle) : one.throttle === null)));
    });
  });

  test(`${vendor}: zeros as data and a memory limit are respected and reported`, async () => {
    const limit = 15 * 2 ** 20;
    const what = ['--device', backendOf[vendor], '--benchmarks', 'memory,copy', '--data', 'zeros'];
    const args = ['run', ...what, '--max-memory-bytes', String(limit)];
    const { result, exitCode } = await runOn({ drivers: [vendor] }, args);
    assert.equal(exitCode, 0);
    const [memory, copy] = [result('memory_bandwidth_gbs'), result('memory_copy_gbs')];
    assert.deepEqual([memory.details['data'], copy.details['data']], ['zeros', 'zeros']);
    assert.deepEqual([memory.verified, memory.details['full_size'], copy.verified], [true, false, true]);
    assert.ok(Number(memory.details['array_bytes']) * 3 <= limit && Number(copy.details['buffer_bytes']) * 2 <= limit);
  });

  test(`${vendor}: the self-test passes`, async () => {
    const { exitCode, codes } = await runOn({ drivers: [vendor] }, ['self-test', '--device', backendOf[vendor]]);
    assert.deepEqual([exitCode, codes], [0, []]);
  });
}
