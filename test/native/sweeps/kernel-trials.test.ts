import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultEvent } from '../../../agent/kernels/runner-events.ts';
import { runOn, type SimulatedRun } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

/** AMD's runtime ends the process in which a kernel faults: the simulated one does so in this kernel. */
async function runWith(kernel: string, benchmarks: string, ...args: string[]): Promise<SimulatedRun> {
  const sim = { FAULT: `kernel-abort:${kernel}`, GPUMARK_TEST_LIBRARIES: await simFolder('blas-amd') };
  const command = ['run', '--device', 'rocm', '--benchmarks', benchmarks, ...args];
  return runOn({ drivers: ['amd'], sim }, command);
}

interface OwnEngine {
  algorithm?: string;
  reason?: string;
  refused?: { kernel: string; reason: string }[];
}
const own = (result: ResultEvent): OwnEngine => (result.details['engines'] as { own: OwnEngine }).own;
const ABORTED = /^its trial ended its process by signal 6 \(Aborted\)/;

test('a kernel of ours that ends its process is refused by name, and the next one and the library are measured', async () => {
  const sound = await runOn({ drivers: ['amd'] }, ['run', '--device', 'rocm', '--benchmarks', 'gemm_fp16']);
  const first = own(sound.result('fp16_tflops')).algorithm ?? '';
  const { exitCode, codes, result } = await runWith(first, 'gemm_fp16');
  const fp16 = result('fp16_tflops');
  assert.deepEqual([exitCode, codes, fp16.engine, fp16.verified], [0, [], 'vendor', true]);
  const { refused, algorithm } = own(fp16);
  assert.deepEqual(
    refused?.map(({ kernel }) => kernel),
    [first],
  );
  assert.match(refused?.[0]?.reason ?? '', ABORTED);
  assert.ok(algorithm !== undefined && algorithm !== first, `${algorithm} after ${first}`);
});

test('where every matrix kernel of ours ends its process, the library is measured and the rest is not tried', async () => {
  const run = await runWith('gpumark_mfma_*', 'gemm_fp16,gemm_bf16,gemm_fp8,memory,energy');
  assert.deepEqual([run.exitCode, run.codes], [0, []]);
  const results = ['fp16_tflops', 'bf16_tflops', 'fp8_tflops'].map((metric) => run.result(metric));
  assert.deepEqual(
    results.map(({ engine, value }) => [engine, typeof value]),
    results.map(() => ['vendor', 'number']),
  );
  const reasons = results.flatMap((result) => own(result).refused ?? []).map(({ reason }) => reason);
  assert.equal(reasons.filter((reason) => ABORTED.test(reason)).length, 4, 'four processes are enough');
  assert.ok(reasons.includes('not tried, since the trials of several of our kernels ended their process'));
});

test('without the library the figure is missing, with the kernel and the signal as its reason', async () => {
  const { exitCode, result } = await runWith('gpumark_mfma_fp16*', 'gemm_fp16,memory', '--engine', 'own');
  assert.equal(exitCode, 0);
  assert.match(result('fp16_tflops').reason ?? '', /no fp16 kernel of ours passed its trial .* signal 6 \(Aborted\)/);
  assert.equal(result('fp16_tflops').details['absence'], 'failed');
  assert.equal(typeof result('memory_bandwidth_gbs').value, 'number');
});

test('an instruction probe that ends its process loses its own figure alone', async () => {
  const sound = await runOn({ drivers: ['amd'] }, ['run', '--device', 'rocm', '--benchmarks', 'matrix_issue']);
  const kernel = String(sound.result('matrix_issue_bf16_tflops').details['kernel']);
  const { exitCode, result, measured } = await runWith(kernel, 'matrix_issue');
  assert.equal(exitCode, 0);
  assert.match(result('matrix_issue_bf16_tflops').reason ?? '', ABORTED);
  assert.deepEqual(
    measured,
    sound.measured.filter((metric) => metric !== 'matrix_issue_bf16_tflops'),
  );
});

test('the self-test names the kernel, exit code 6', async () => {
  const machine = { drivers: ['amd' as const], sim: { FAULT: 'kernel-abort:gpumark_mfma_bf16*' } };
  const { exitCode, events, codes } = await runOn(machine, ['self-test', '--device', 'rocm']);
  assert.equal(exitCode, 6);
  assert.deepEqual([...new Set(codes)], ['self_test_failed']);
  assert.match(JSON.stringify(events), /gpumark_mfma_bf16\w* differs from its reference/);
});
