import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofKind } from '../built-runner.ts';
import { type Machine, type SimulatedRun, backendOf, runOn, vendors } from '../simulated-gpus.ts';

const metricsOf: Record<string, string[]> = {
  fma: ['fma_fp32_tflops', 'fma_fp64_tflops', 'fma_fp16_tflops'],
  memory: ['memory_bandwidth_gbs'],
  cache: ['l2_bandwidth_gbs'],
  latency: ['memory_latency_ns', 'l2_latency_ns'],
  copy: ['memory_copy_gbs'],
  link: ['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs'],
  repeat: ['repeat_checks'],
};

function assertWrong(run: SimulatedRun, metrics: readonly string[]): void {
  assert.equal(run.exitCode, 6);
  assert.deepEqual([...new Set(run.codes)], ['verification_failed']);
  for (const metric of metrics) {
    const { value, verified, reason, details } = run.result(metric);
    assert.deepEqual([value, verified, details['absence']], [null, false, 'failed'], metric);
    assert.match(reason ?? '', /^the result was wrong: /);
  }
}

for (const [benchmark, metrics] of Object.entries(metricsOf)) {
  test(`two wrong bits in the output of ${benchmark} are exit 6 and no figure; the same build without them has all`, async () => {
    const args = ['run', '--device', 'cuda', '--benchmarks', benchmark];
    const machine: Machine = { drivers: ['nvidia'], runner: 'gpumark-runner-faulty' };
    assertWrong(await runOn({ ...machine, sim: { GPUMARK_FAULT: benchmark } }, args), metrics);
    const sound = await runOn(machine, args);
    assert.deepEqual([sound.exitCode, sound.measured], [0, metrics]);
    assert.ok(ofKind(sound.events, 'result').every((result) => result.verified === true));
  });
}

// A device whose kernel flips one bit per launch, against the product itself.
const flips = [
  ['gpumark_triad', 'memory', ['memory_bandwidth_gbs']],
  ['gpumark_copy', 'memory', ['memory_bandwidth_gbs']],
  ['gpumark_write', 'memory', ['memory_bandwidth_gbs']],
  ['gpumark_read', 'memory', ['memory_bandwidth_gbs']],
  ['gpumark_fill', 'memory', ['memory_bandwidth_gbs']],
  ['gpumark_copy', 'copy', ['memory_copy_gbs']],
  ['gpumark_walk', 'cache', ['l2_bandwidth_gbs']],
  ['gpumark_chase', 'latency', ['memory_latency_ns', 'l2_latency_ns']],
  ['gpumark_checksum', 'link', metricsOf['link'] ?? []],
  ['gpumark_repeat', 'repeat', ['repeat_checks']],
  // Of fp32 the faster of two kernels counts, so a fault in one of them need not concern the figure.
  ['gpumark_fma_fp64', 'fma', ['fma_fp64_tflops']],
  ['gpumark_fma_fp16', 'fma', ['fma_fp16_tflops']],
] as const;
for (const [kernel, benchmark, metrics] of flips) {
  test(`a device whose ${kernel} flips a bit now and then is caught by ${benchmark}`, async () => {
    const vendor = vendors[kernel.length % 2] ?? 'nvidia';
    const machine: Machine = { drivers: [vendor], sim: { FAULT: `flip-bit:${kernel}` } };
    const found = await runOn(machine, ['run', '--device', backendOf[vendor], '--benchmarks', benchmark]);
    assertWrong(found, metrics);
    // The other figures of the same benchmark stand.
    for (const metric of metricsOf[benchmark] ?? []) {
      assert.equal(found.result(metric).verified, !(metrics as readonly string[]).includes(metric), metric);
    }
  });
}

test('the self-test names the kernel that is wrong, exit 6', async () => {
  const found = await runOn({ drivers: ['amd'], sim: { FAULT: 'flip-bit:gpumark_fma_fp16' } }, [
    'self-test',
    '--device',
    'rocm',
  ]);
  assert.deepEqual([found.exitCode, found.codes], [6, ['self_test_failed']]);
  assert.match(ofKind(found.events, 'error')[0]?.message ?? '', /^gpumark_fma_fp16 /);
});
