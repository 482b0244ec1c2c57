import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureLimits } from '../../../coordinator/contract/figure-limits.ts';
import { gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';
import { networkReport } from '../../../coordinator/contract/network-protocol.ts';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { upload } from '../jobs/upload.ts';

type Loose = Record<string, unknown>;

/** The path of the first thing refused; null if all is accepted. */
function refused(change: (of: { device: Loose; sums: Loose }) => void): string | null {
  const { test_results, aggregate_results: sums } = structuredClone(upload('m').benchmark_results.quick_mark);
  const [device] = test_results;
  assert.ok(device);
  change({ device, sums });
  const parsed = quickMarkResults.safeParse({ test_results, aggregate_results: sums });
  return parsed.error?.issues[0]?.path.join('.') ?? null;
}

test('every figure has a bound of at least ten times what is published of any card, and one above it is refused by name', () => {
  for (const peak of gpuPeaks) {
    const published = { ...peak, power_consumption_watts: peak.tdp_watts };
    for (const metric of [
      'fp16_tflops',
      'bf16_tflops',
      'fp8_tflops',
      'memory_bandwidth_gbs',
      'power_consumption_watts',
    ] as const)
      assert.ok(10 * (published[metric] ?? 0) <= figureLimits[metric], `${peak.name} ${metric}`);
  }
  for (const [metric, most] of Object.entries(figureLimits)) {
    assert.equal(
      refused(({ device }) => (device[metric] = most)),
      null,
    );
    for (const value of [most * 1.001, -1, Infinity, NaN])
      assert.equal(
        refused(({ device }) => (device[metric] = value)),
        `test_results.0.${metric}`,
        `${value}`,
      );
  }
});

test('sums are bounded by 64 devices; temperatures, samples, shares and copies have bounds of their own', () => {
  const sum = (value: number) => refused(({ sums }) => (sums['bf16_tflops'] = value));
  assert.deepEqual(
    [sum(64 * figureLimits.bf16_tflops), sum(65 * figureLimits.bf16_tflops)],
    [null, 'aggregate_results.bf16_tflops'],
  );
  for (const celsius of [-61, 201])
    assert.equal(
      refused(({ device }) => (device['temperature_centigrade'] = celsius)),
      'test_results.0.temperature_centigrade',
    );
  const stats = { n: 11, min: 1, max: 1, median: 1, p5: 1, p95: 1, cv: 0.01 };
  const samples = (given: object) => refused(({ device }) => (device['details'] = { bf16_tflops: given }));
  assert.equal(samples({ value: 1, stats }), null);
  assert.equal(samples({ stats: { ...stats, max: 1e16 } }), 'test_results.0.details.bf16_tflops.stats.max');
  assert.equal(samples({ value: 1e16 }), 'test_results.0.details.bf16_tflops.value');
  assert.equal(
    refused(({ device }) => (device['together'] = { bf16_tflops: { value: 1e9, alone: 1, gap: 0 } })),
    'test_results.0.together.bf16_tflops.value',
  );
  assert.equal(
    refused(
      ({ device }) =>
        (device['gemm'] = { bf16_tflops: { engine: 'own', fraction_of_spec_peak: 1e6, spec_peak_tflops: 1 } }),
    ),
    'test_results.0.gemm.bf16_tflops.fraction_of_spec_peak',
  );
  for (const name of ['samples', 'alone_samples'])
    for (const [count, problem] of [
      [1_000_000, null],
      [1_000_001, `test_results.0.together.bf16_tflops.${name}`],
      [0, `test_results.0.together.bf16_tflops.${name}`],
      [1.5, `test_results.0.together.bf16_tflops.${name}`],
    ] as const)
      assert.equal(
        refused(({ device }) => (device['together'] = { bf16_tflops: { value: 1, alone: 1, gap: 0, [name]: count } })),
        problem,
      );
  const cell = { source_gpu: 'a', target_gpu: 'b', simplex_gbs: 1, duplex_gbs: 20_001, connection_type: 'NVLink' };
  assert.equal(
    refused(({ sums }) => (sums['gpu_bandwidth_matrix'] = [cell])),
    'aggregate_results.gpu_bandwidth_matrix.0.duplex_gbs',
  );
  assert.equal(
    refused(({ sums }) => (sums['gpu_bandwidth_matrix'] = [{ ...cell, duplex_gbs: null, simplex_samples: 1_000_001 }])),
    'aggregate_results.gpu_bandwidth_matrix.0.simplex_samples',
  );
});

test('what a node reports of a link is bounded', () => {
  const slot = (gbps: number) =>
    networkReport.safeParse({
      kind: 'slot',
      id: '1',
      status: 'ok',
      stage: null,
      code: null,
      started_at_ms: null,
      start_skew_ms: null,
      received: { gbps, bytes: 1e9, window_ms: 100 },
      sent: null,
      rtt_us: null,
      mtu: null,
      interface: null,
      rails: [],
    });
  assert.ok(slot(12_800).success);
  for (const gbps of [-1, 1e6, Infinity])
    assert.deepEqual(slot(gbps).error?.issues[0]?.path, ['received', 'gbps'], `${gbps}`);
});
