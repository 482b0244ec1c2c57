import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ResultEvent } from '../../../agent/kernels/runner-events.ts';
import { type Machine, type SimulatedRun, backendOf, runOn } from '../simulated-gpus.ts';
import { casesOf } from '../support/thin.ts';
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

// A product that both engines have on the default device, sm_90 or gfx942, at little cost.
const both = {
  nvidia: { benchmark: 'gemm_fp32', metric: 'fp32_cuda_core_tflops' },
  amd: { benchmark: 'gemm_fp64', metric: 'fp64_tflops' },
} as const;

for (const vendor of casesOf(['nvidia', 'amd'] as const, (one) => one === 'nvidia')) {
  const { benchmark, metric } = both[vendor];

  test(`${vendor}: with the vendor's library there, its proven product is the headline, and ours stands beside it`, async () => {
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

  test(`${vendor}: more than the library's first proposal is tried, and the fastest taken`, async () => {
    const run = await multiply(vendor, 'gemm_bf16', { BLAS_FAULT: 'best-is-not-first' }, '0.6');
    const { vendor: library } = enginesOf(run.result('bf16_tflops'));
    assert.ok((library.candidates ?? 0) > 1, library.reason ?? '');
    assert.doesNotMatch(library.algorithm ?? '', /^(algo 11 |solution 1000$)/);
  });

  test(`${vendor}: a library that multiplies wrongly gives no figure`, async () => {
    const run = await multiply(vendor, benchmark, { BLAS_FAULT: 'wrong-result' });
    const result = run.result(metric);
    const { vendor: library } = enginesOf(result);
    assert.notEqual(result.engine === 'vendor' && result.value !== null, true);
    assert.equal(library.tflops, undefined);
    assert.match(library.reason ?? '', /off by more than the error bound/);
  });
}
