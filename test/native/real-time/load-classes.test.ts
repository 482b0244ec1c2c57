// Which class a figure's load has follows from what the runner did: seconds of the same load before, and seconds counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { backendOf, runOn, vendors, type Machine } from '../simulated-gpus.ts';

const loaded = z.looseObject({ load: z.string(), before_seconds: z.number(), counted_seconds: z.number() });
const sample = z.looseObject({ load: z.string(), tflops: z.number(), n: z.number() });
const product = loaded.extend({
  burst: sample.extend({ seconds: z.number(), rest_seconds: z.number() }).optional(),
  engines: z.record(z.string(), z.looseObject({ load: z.string().optional(), n: z.number().optional() })),
  achieved_peak: z.looseObject({ load: z.string(), tflops: z.number(), samples: z.number() }),
  zeros_ratio: z.number(),
  zeros: sample.extend({ over: z.string() }),
});
/** The allowance for reading two clocks. */
const READ = 0.995;

for (const vendor of vendors) {
  const run = async (benchmark: string, metric: string, ...more: string[]) => {
    const args = ['run', '--device', backendOf[vendor], '--benchmarks', benchmark, ...more];
    const { result, exitCode } = await runOn({ drivers: [vendor] }, args);
    assert.equal(exitCode, 0);
    return result(metric);
  };

  test(`${vendor}: a product of the quick tier is sustained by either choice of engine, with its burst beside it and n of each`, async () => {
    for (const engine of ['auto', 'own']) {
      const {
        value,
        engine: by,
        details,
      } = await run('gemm_bf16', 'bf16_tflops', '--time-scale', '1', '--engine', engine);
      const found = product.parse(details);
      assert.deepEqual([by, found.load], ['own', 'sustained'], engine);
      assert.ok(found.before_seconds >= 1.6 * READ && found.counted_seconds >= 1.2 * READ);
      const { burst } = found;
      assert.ok(burst !== undefined && burst.load === 'burst' && burst.n >= 3 && burst.tflops !== value);
      assert.ok(burst.seconds >= 0.1 && burst.seconds <= 0.5 && burst.rest_seconds >= 0.25);
      assert.equal(found.engines['own']?.load, 'sustained');
      assert.ok((found.engines['own'].n ?? 0) >= 3);
      assert.ok(found.achieved_peak.samples >= 3 && found.achieved_peak.load !== 'burst');
      assert.ok(found.zeros.n >= 3 && found.zeros.load !== 'burst');
      assert.equal(found.zeros.over, 'sustained');
      assert.ok(Math.abs(found.zeros_ratio / (found.zeros.tflops / (value ?? 0)) - 1) < 1e-6);
    }
  });

  test(`${vendor}: a shortened run is brief, as its own seconds say, and has no burst`, async () => {
    const { details } = await run('gemm_bf16', 'bf16_tflops', '--time-scale', '0.076');
    const found = product.parse(details);
    assert.deepEqual([found.load, found.burst, found.engines['own']?.load], ['brief', undefined, 'brief']);
    assert.ok(found.before_seconds < 1.6 && found.counted_seconds < 1.2);
  });

  test(`${vendor}: multiply-add and issue peaks are sustained in standard and in a turn of a node, brief in quick`, async () => {
    const classOf = async (benchmark: string, metric: string, ...more: string[]) => {
      const found = loaded.parse((await run(benchmark, metric, ...more)).details);
      const isEnough = found.before_seconds >= 1.6 * READ && found.counted_seconds >= 1.2 * READ;
      assert.equal(found.load === 'sustained', isEnough, metric);
      return found.load;
    };
    const standard = ['--tier', 'standard', '--time-scale', '1'];
    assert.equal(await classOf('fma', 'fma_fp32_tflops', ...standard), 'sustained');
    assert.equal(await classOf('matrix_issue', 'matrix_issue_bf16_tflops', ...standard), 'sustained');
    assert.equal(await classOf('energy', 'fma_fp64_tflops', '--turns', 'fma', '--time-scale', '1'), 'sustained');
    assert.equal(await classOf('fma', 'fma_fp64_tflops'), 'brief');
    assert.equal(await classOf('matrix_issue', 'matrix_issue_bf16_tflops'), 'brief');
  });
}

// What a data centre has of each: Blackwell's block-scaled types, and the three kinds of fp32 arithmetic of CDNA 3.
for (const [vendor, architecture, benchmark, metrics] of [
  ['nvidia', 'sm_100', 'gemm_nvfp4', ['nvfp4_tflops']],
  ['nvidia', 'sm_100', 'gemm_mxfp8', ['mxfp8_tflops']],
  ['amd', 'gfx950', 'gemm_mxfp4', ['mxfp4_tflops']],
  ['amd', 'gfx942', 'gemm_fp32', ['tf32_tflops', 'fp32_ieee_tflops', 'fp32_cuda_core_tflops']],
] as const) {
  test(`${architecture}: ${metrics.join(', ')} of the quick tier are sustained`, async () => {
    const machine = { drivers: [vendor], sim: { ARCH: architecture } } satisfies Machine;
    const args = ['run', '--device', backendOf[vendor], '--benchmarks', benchmark, '--time-scale', '1'];
    const { result, exitCode } = await runOn(machine, args);
    assert.equal(exitCode, 0);
    for (const metric of metrics) assert.equal(product.parse(result(metric).details).load, 'sustained', metric);
  });
}
