import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import { selfTest } from '../../../agent/kernels/self-test.ts';
import { built, eventsOf, memoryBeyondCache, ofKind } from '../built-runner.ts';

/** The build that flips two bits of one output of the benchmark named by GPUMARK_FAULT; the product has no such switch. */
let faulty = '';
let memory = '';
before(async () => {
  faulty = await built('gpumark-runner-faulty');
  memory = await memoryBeyondCache(faulty);
});

async function withFault<T>(benchmark: string | undefined, body: () => Promise<T>): Promise<T> {
  if (benchmark !== undefined) process.env['GPUMARK_FAULT'] = benchmark;
  try {
    return await body();
  } finally {
    delete process.env['GPUMARK_FAULT'];
  }
}

/** How long is measured, and by how many, has nothing to do with what is found wrong. */
const quick = ['--time-scale', '0.02', '--threads', '1'];
const spoiled = {
  fma: ['fma_fp32_tflops', 'fma_fp64_tflops'],
  gemm_fp32: ['fp32_tflops', 'fp32_cuda_core_tflops'],
  gemm_fp64: ['fp64_tflops'],
  memory: ['memory_bandwidth_gbs'],
  cache: ['l2_bandwidth_gbs'],
  copy: ['memory_copy_gbs'],
};

for (const [benchmark, metrics] of Object.entries(spoiled)) {
  test(`one wrong element in ${benchmark} is exit 6, and its figures become null`, async () => {
    const events = await withFault(benchmark, () =>
      eventsOf(faulty, ['run', '--benchmarks', benchmark, '--max-memory-bytes', memory, ...quick]),
    );
    assert.equal(ofKind(events, 'summary')[0]?.exit_code, 6);
    assert.ok(ofKind(events, 'error').some((error) => error.code === 'verification_failed'));
    for (const metric of metrics) {
      const result = ofKind(events, 'result').find((event) => event.metric === metric);
      assert.deepEqual([result?.value, result?.verified], [null, false], metric);
      assert.match(result?.reason ?? '', /wrong/);
      assert.equal(result?.details['absence'], 'failed');
    }
    const entry = assembleQuickMark(events, 'cpu-0');
    assert.deepEqual([entry.fp32_tflops, entry.memory_bandwidth_gbs, entry.l2_bandwidth_gbs], [null, null, null]);
  });
}

for (const benchmark of ['gemm_bf16', 'gemm_fp32', 'gemm_fp16']) {
  test(`the self-test of a wrong ${benchmark} kernel fails and names it`, async () => {
    const outcome = await withFault(benchmark, () => selfTest(faulty, 'cpu'));
    assert.equal(outcome.passed, false);
    assert.ok(outcome.problems.length > 0 && outcome.problems.every((problem) => problem.startsWith(benchmark)));
  });
}

test('the same build without a fault passes, so it was the fault that was detected', async () => {
  assert.deepEqual(await withFault(undefined, () => selfTest(faulty, 'cpu')), { passed: true, problems: [] });
});
