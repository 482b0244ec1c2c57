import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultEvent } from '../../../agent/kernels/runner-events.ts';
import { ofKind } from '../built-runner.ts';
import { type Machine, backendOf, runOn } from '../simulated-gpus.ts';

const own = (metric: string, result: ResultEvent) => {
  const { own: entry } = result.details['engines'] as Record<string, Record<string, unknown>>;
  assert.ok(entry !== undefined, metric);
  return entry;
};

// Which instructions each architecture has, by its vendor's manual; null: none for that type.
type Unit = string | null;
const paths: Record<string, [fp32: Unit, fp64: Unit, fp16: Unit, bf16: Unit, fp8: Unit]> = {
  sm_75: ['simt', 'simt', 'mma.sync', null, null],
  sm_80: ['mma.sync', 'mma.sync', 'mma.sync', 'mma.sync', null],
  sm_86: ['mma.sync', 'simt', 'mma.sync', 'mma.sync', null],
  sm_89: ['mma.sync', 'simt', 'mma.sync', 'mma.sync', 'mma.sync'],
  sm_90: ['wgmma', 'mma.sync', 'wgmma', 'wgmma', 'wgmma'],
  sm_120: ['mma.sync', 'simt', 'mma.sync', 'mma.sync', 'mma.sync'],
  gfx90a: ['mfma', 'mfma', 'mfma', 'mfma', null],
  gfx942: ['mfma', 'mfma', 'mfma', 'mfma', 'mfma'],
  gfx950: ['mfma', 'mfma', 'mfma', 'mfma', 'mfma'],
  gfx1030: ['simt', 'simt', null, null, null],
  gfx1100: ['simt', 'simt', 'wmma', 'wmma', null],
  gfx1200: ['simt', 'simt', 'wmma', 'wmma', 'wmma'],
};

const metricsOf: Record<string, string[]> = {
  fp32: ['fp32_tflops', 'fp32_cuda_core_tflops', 'fp32_ieee_tflops', 'tf32_tflops'],
  mixed: ['mixed_precision_tflops'],
};
/** TF32 since Ampere, XF32 on CDNA 3; matrix units with full fp32 only on CDNA. */
const hasTf32 = (architecture: string): boolean => /^sm_([89]|1\d)\d$/.test(architecture) || architecture === 'gfx942';
const isCdna = (architecture: string): boolean => architecture.startsWith('gfx9');

/** The units and the arithmetic of each of the four; null if there is no such arithmetic. */
function fp32Of(architecture: string, metric: string, unit: Unit): { path: Unit; mode: string } | null {
  const lanes = { path: 'simt', mode: 'simt' };
  const ieee = isCdna(architecture) ? { path: 'mfma', mode: 'fp32_matrix' } : lanes;
  const tf32 = hasTf32(architecture) ? { path: unit, mode: 'tf32' } : null;
  if (metric === 'tf32_tflops') return tf32;
  if (metric === 'fp32_ieee_tflops') return ieee;
  return metric === 'fp32_cuda_core_tflops' ? lanes : (tf32 ?? ieee);
}

const products = Object.entries(paths).flatMap(([architecture, [fp32, fp64, fp16, bf16, fp8]]) =>
  Object.entries({ fp32, fp64, fp16, mixed: fp16, bf16, fp8 }).map(([type, unit]) => ({ architecture, type, unit })),
);
for (const [architecture, types] of Map.groupBy(products, (one) => one.architecture)) {
  const there = types.filter(({ unit }) => unit !== null).map(({ type }) => type);
  test(`${architecture}: ${there.join(', ')} on the units that it has, verified; types that it lacks are absent because of the hardware`, async () => {
    const vendor = architecture.startsWith('sm_') ? 'nvidia' : 'amd';
    const machine: Machine = { drivers: [vendor], sim: { ARCH: architecture } };
    const benchmarks = types.map(({ type }) => `gemm_${type}`).join();
    const run = await runOn(machine, ['run', '--device', backendOf[vendor], '--benchmarks', benchmarks]);
    assert.equal(run.exitCode, 0, JSON.stringify(ofKind(run.events, 'error')));
    for (const { type, unit } of types) {
      for (const metric of metricsOf[type] ?? [`${type}_tflops`]) {
        const result = run.result(metric);
        const fp32 = type === 'fp32' ? fp32Of(architecture, metric, unit) : undefined;
        if (unit === null || fp32 === null) {
          assert.deepEqual([result.value, result.details['absence']], [null, 'hardware'], metric);
          continue;
        }
        const path = fp32?.path ?? unit;
        assert.ok((result.value ?? 0) > 0, `${metric}: ${result.reason}`);
        // fp64 has two kinds of units, of which the trial chooses the faster; simulated on the host, the choice is
        // arbitrary.
        if (type !== 'fp64') assert.equal(result.details['path'], path, metric);
        if (fp32 !== undefined) {
          const arithmetic = fp32.mode === 'tf32' ? 'tf32' : 'ieee fp32';
          assert.deepEqual([result.details['mode'], result.details['arithmetic']], [fp32.mode, arithmetic], metric);
        }
        assert.deepEqual([result.verified, result.engine], [true, 'own'], metric);
        assert.equal(own(metric, result)['refused'], undefined, JSON.stringify(own(metric, result)['refused']));
      }
    }
  });
}

const hopper = (fault: string): Machine => ({ drivers: ['nvidia'], sim: { FAULT: fault } });
const fp16 = ['run', '--device', 'cuda', '--benchmarks', 'gemm_fp16'];

test('a kernel whose product is wrong on this device is refused, and the next lower path is measured', async () => {
  const run = await runOn(hopper('flip-bit:gpumark_wgmma_fp16_128x256'), fp16);
  const result = run.result('fp16_tflops');
  assert.deepEqual([run.exitCode, result.verified, result.details['path']], [0, true, 'mma.sync']);
  const [refused] = own('fp16_tflops', result)['refused'] as { kernel: string; reason: string }[];
  assert.equal(refused?.kernel, 'gpumark_wgmma_fp16_128x256');
  assert.match(refused.reason, /off by more than the error bound|gave different bits/);
});

test('a kernel that breaks the context during its trial is refused, and the rest is measured in a new context', async () => {
  const run = await runOn(hopper('kernel-failure:gpumark_wgmma_fp16_128x256'), fp16);
  const result = run.result('fp16_tflops');
  assert.deepEqual([run.exitCode, run.codes, result.details['path']], [0, [], 'mma.sync']);
  const [refused] = own('fp16_tflops', result)['refused'] as { reason: string }[];
  assert.match(refused?.reason ?? '', /CUDA_ERROR_LAUNCH_FAILED \(719\)/);
});

const fp32 = ['run', '--device', 'cuda', '--benchmarks', 'gemm_fp32'];
for (const [architecture, candidates] of Object.entries({
  sm_70: 1,
  sm_75: 1,
  sm_80: 3,
  sm_86: 3,
  sm_90: 3,
  sm_120: 3,
})) {
  test(`${architecture}: ${candidates} of our kernels for the ordinary lanes are timed: those by copies past the registers where there are such copies`, async () => {
    const run = await runOn({ drivers: ['nvidia'], sim: { ARCH: architecture } }, fp32);
    const result = run.result('fp32_cuda_core_tflops');
    const entry = own('fp32_cuda_core_tflops', result);
    assert.deepEqual([run.exitCode, result.verified, entry['candidates']], [0, true, candidates]);
    if (candidates === 1) assert.equal(entry['algorithm'], 'gpumark_sgemm');
    else assert.match(String(entry['algorithm']), /^gpumark_sgemm(_128x256x(16|8))?$/);
  });
}

for (const fault of ['flip-bit', 'kernel-failure']) {
  test(`a kernel for the ordinary lanes by copies past the registers that has a ${fault} is refused; the others are measured, and no one blames the device`, async () => {
    const kernel = 'gpumark_sgemm_128x256x16';
    const run = await runOn(hopper(`${fault}:${kernel}`), fp32);
    const result = run.result('fp32_cuda_core_tflops');
    const entry = own('fp32_cuda_core_tflops', result);
    assert.deepEqual([run.exitCode, run.codes, result.verified, entry['candidates']], [0, [], true, 2]);
    const refused = entry['refused'] as { kernel: string }[];
    assert.deepEqual(
      refused.map((one) => one.kernel),
      [kernel],
    );
    assert.notEqual(entry['algorithm'], kernel);
  });
}

test('a wrong product on the ordinary lanes is a fault of the device: exit 6 and no figure', async () => {
  const run = await runOn(hopper('flip-bit:gpumark_sgemm'), fp32);
  assert.equal(run.exitCode, 6);
  const { value, verified, details } = run.result('fp32_cuda_core_tflops');
  assert.deepEqual([value, verified, details['absence']], [null, false, 'failed']);
  assert.equal(run.result('fp32_tflops').verified, true);
});

test('two wrong bits in the headline product are exit 6 and no figure', async () => {
  const machine: Machine = {
    drivers: ['nvidia'],
    runner: 'gpumark-runner-faulty',
    sim: { GPUMARK_FAULT: 'gemm_bf16' },
  };
  const run = await runOn(machine, ['run', '--device', 'cuda', '--benchmarks', 'gemm_bf16']);
  assert.deepEqual([run.exitCode, run.codes], [6, ['verification_failed']]);
  assert.equal(run.result('bf16_tflops').value, null);
});

test('a driver older than the cubins compiles the same kernels from PTX', async () => {
  const run = await runOn({ drivers: ['nvidia'], sim: { DRIVER: '12040' } }, fp16);
  assert.deepEqual([run.exitCode, run.result('fp16_tflops').details['path']], [0, 'wgmma']);
});

test('every sample of a product carries the clock and the throttle reasons', async () => {
  const run = await runOn(hopper('power-cap'), fp16);
  const samples = ofKind(run.events, 'sample');
  assert.ok(samples.length >= 5);
  for (const sample of samples) {
    assert.ok(typeof sample.clock_mhz === 'number');
    assert.deepEqual(sample.throttle, ['sw_power_cap']);
  }
  const { details } = run.result('fp16_tflops');
  assert.deepEqual(details['throttle'], ['sw_power_cap']);
  assert.ok(Number(details['clock_mhz_mean']) > 0);
});

test('--engine own excludes the library and reports that; --engine vendor excludes our kernels', async () => {
  const only = await runOn(hopper('slow'), [...fp16, '--engine', 'own']);
  const engines = only.result('fp16_tflops').details['engines'] as Record<string, { reason?: string }>;
  assert.equal(engines['vendor']?.reason, 'not requested (--engine own)');
  const none = await runOn({ drivers: ['nvidia'], sim: { GPUMARK_BLAS_PATH: '/nonexistent' } }, [
    ...fp16,
    '--engine',
    'vendor',
  ]);
  const missing = none.result('fp16_tflops');
  assert.equal(missing.value, null);
  assert.match(missing.reason ?? '', /^vendor: .*\/nonexistent.*; own: not requested \(--engine vendor\)$/);
});

test('the probes of the matrix units give the expected sums, each under its own name', async () => {
  const run = await runOn({ drivers: ['nvidia'] }, ['run', '--device', 'cuda', '--benchmarks', 'matrix_issue']);
  assert.equal(run.exitCode, 0);
  for (const type of ['fp16', 'bf16', 'fp8', 'tf32', 'fp64']) {
    const { value, verified, details } = run.result(`matrix_issue_${type}_tflops`);
    assert.deepEqual([(value ?? 0) > 0, verified, details['data']], [true, true, 'constant'], type);
    // The clock is the one that the blocks counted: operations per cycle times cycles per second are the figure.
    const [ghz, perCycle] = [details['clock_ghz'], details['flops_per_cycle_per_multiprocessor']].map(Number);
    const processors = Number(run.devices.find(({ backend }) => backend === 'cuda')?.attributes['sm_count']);
    const computed = ((perCycle ?? 0) * (ghz ?? 0) * processors) / 1e3;
    assert.ok(Math.abs(computed / (value ?? 0) - 1) < 1e-6, `${type}: ${computed}, not ${value}`);
    assert.equal(typeof details['clock_above_maximum'], 'boolean', type);
  }
});
