import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ResultEvent } from '../../../agent/kernels/runner-events.ts';
import { type Machine, type SimulatedRun, backendOf, runOn } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

type Vendor = 'nvidia' | 'amd';

const entry = z.looseObject({
  tflops: z.number().optional(),
  reason: z.string().optional(),
  path: z.string().optional(),
  algorithm: z.string().optional(),
  candidates: z.number().optional(),
});
const engines = z.object({ vendor: entry, own: entry });
const enginesOf = (result: ResultEvent) => engines.parse(result.details['engines']);

/** Matrix products on a machine whose vendor's library is installed. */
async function multiply(
  vendor: Vendor,
  benchmarks: string,
  sim: Record<string, string> = {},
  timeScale = '0.1',
): Promise<SimulatedRun> {
  const machine: Machine = {
    drivers: [vendor],
    sim: { MEMORY_MIB: '64', GPUMARK_BLAS_PATH: await simFolder(`blas-${vendor}`), ...sim },
  };
  return runOn(machine, ['run', '--device', backendOf[vendor], '--benchmarks', benchmarks, '--time-scale', timeScale]);
}

// A cheap product that both engines have on the default device, sm_90 or gfx942.
const both = {
  nvidia: { benchmark: 'gemm_fp32', metric: 'fp32_cuda_core_tflops' },
  amd: { benchmark: 'gemm_fp64', metric: 'fp64_tflops' },
} as const;

for (const vendor of ['nvidia', 'amd'] as const) {
  const { benchmark, metric } = both[vendor];

  test(`${vendor}: if the vendor's library is installed, its verified product is the headline, and ours is reported beside it`, async () => {
    const run = await multiply(vendor, benchmark);
    assert.equal(run.exitCode, 0);
    const result = run.result(metric);
    const { vendor: library, own } = enginesOf(result);
    assert.deepEqual([result.engine, result.verified], ['vendor', true]);
    assert.equal(result.value, library.tflops);
    assert.partialDeepStrictEqual(library, {
      path: vendor === 'nvidia' ? 'cublasLt' : 'hipblasLt',
      library: vendor === 'nvidia' ? 'libcublasLt.so.13' : 'libhipblaslt.so.0',
      version: vendor === 'nvidia' ? '13.1.0' : '0.12.0',
      simulated: true,
    });
    const [faster, slower] = [library.tflops ?? 0, own.tflops ?? 0].toSorted((a, b) => b - a);
    assert.ok(faster !== undefined && slower !== undefined && slower > 0, own.reason ?? '');
    // Nine digits of each are written.
    assert.ok(Math.abs(Number(result.details['engines_gap']) - (faster - slower) / faster) < 1e-6);
  });

  test(`${vendor}: more than the library's first proposal is tried, and the fastest is used`, async () => {
    const run = await multiply(vendor, 'gemm_bf16', { BLAS_FAULT: 'best-is-not-first' }, '0.6');
    const { vendor: library } = enginesOf(run.result('bf16_tflops'));
    assert.ok((library.candidates ?? 0) > 1, library.reason ?? '');
    assert.doesNotMatch(library.algorithm ?? '', /^(algo 11 |solution 1000$)/);
  });

  test(`${vendor}: a library with wrong products gives no figure`, async () => {
    const run = await multiply(vendor, benchmark, { BLAS_FAULT: 'wrong-result' });
    const result = run.result(metric);
    const { vendor: library } = enginesOf(result);
    assert.notEqual(result.engine === 'vendor' && result.value !== null, true);
    assert.equal(library.tflops, undefined);
    assert.match(library.reason ?? '', /off by more than the error bound/);
  });
}

test('the library’s first proposal is reported beside the best of the trials, which is the headline', async () => {
  // The first proposal is 40 ms slower, which is what frameworks get.
  const run = await multiply('nvidia', 'gemm_bf16', { BLAS_FAULT: 'best-is-not-first' }, '0.6');
  const { value, details } = run.result('bf16_tflops');
  const first = Number(details['heuristic_first_tflops']);
  assert.ok(first > 0 && first < (value ?? 0), `${first} of ${value}`);
  assert.equal(details['headline'], 'best of the trials');
});

test('under load the library’s first proposal takes over from a candidate that led the trials and did not last', async () => {
  const run = await multiply('nvidia', 'gemm_bf16', { BLAS_FAULT: 'tires' }, '1');
  const { value, verified, details } = run.result('bf16_tflops');
  assert.match(String(details['headline']), /^the library's first proposal, faster under load than/);
  assert.match(enginesOf(run.result('bf16_tflops')).vendor.algorithm ?? '', /^algo 11 /);
  assert.deepEqual([verified, details['heuristic_first_tflops']], [true, value]);
});

test('a library that supports only small products does not limit the size: ours is measured beyond it', async () => {
  const run = await multiply('nvidia', 'gemm_bf16', { BLAS_FAULT: 'small-only' }, '1');
  const { engine, details } = run.result('bf16_tflops');
  assert.equal(engine, 'own');
  assert.ok(Number(details['n']) > 256, `${String(details['n'])}: 256 is the library's largest`);
});

test('algorithms that lead the trials and do not repeat bit for bit are skipped, not the library', async () => {
  const run = await multiply('nvidia', 'gemm_bf16', { BLAS_FAULT: 'leaders-do-not-repeat' }, '0.6');
  const result = run.result('bf16_tflops');
  assert.deepEqual([run.exitCode, result.engine, result.verified], [0, 'vendor', true]);
  const { vendor: library } = z
    .object({ vendor: z.looseObject({ refused: z.array(z.looseObject({ reason: z.string() })) }) })
    .parse(result.details['engines']);
  // All three on an idle machine; on a busy one another may lead one of the trials.
  assert.ok(library.refused.length >= 1 && library.refused.length <= 3, String(library.refused.length));
  for (const { reason } of library.refused) assert.match(reason, /gave different bits when repeated/);
});

test('each product reports its power: mean and 95th percentile over its own series, energy per product and per TFLOP', async () => {
  const run = await multiply('nvidia', 'gemm_fp16,gemm_bf16,energy', {}, '1');
  const { value, details } = run.result('bf16_tflops');
  const { m, n, k } = details as Record<string, number>;
  const power = z
    .object({
      average_watts: z.number(),
      p95_watts: z.number(),
      readings: z.number(),
      joules_per_tflop: z.number(),
      joules_per_product: z.number(),
    })
    .loose()
    .parse(details['power']);
  // 70 W at rest, 400 W under load.
  assert.ok(power.average_watts > 100 && power.p95_watts <= 400 && power.readings >= 3);
  // W over TFLOP/s is J per TFLOP, and a product is 2 m n k operations.
  assert.ok(Math.abs(power.joules_per_tflop / (power.average_watts / (value ?? 0)) - 1) < 1e-6);
  const tflop = (2 * Number(m) * Number(n) * Number(k)) / 1e12;
  assert.ok(Math.abs(power.joules_per_product / (power.joules_per_tflop * tflop) - 1) < 1e-6);
  // The card's figure is that product's, whatever else ran.
  const card = run.result('power_consumption_watts');
  assert.deepEqual([card.details['load'], card.value], ['bf16 product', power.average_watts]);
});
