import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { execa } from 'execa';
import { listDevices } from '../../../agent/kernels/list-devices.ts';
import { until } from '../../support/until.ts';
import { built, eventsOf, memoryBeyondCache, ofKind } from '../built-runner.ts';

const runner = await built('gpumark-runner');

test('the thread count and the memory limit are respected and recorded', async () => {
  const limit = 48 << 20;
  const events = await eventsOf(runner, [
    'run',
    '--benchmarks',
    'gemm_fp64,memory',
    '--time-scale',
    '0.02',
    '--threads',
    '1',
    '--max-memory-bytes',
    String(limit),
  ]);
  const gemm = ofKind(events, 'result').find((event) => event.metric === 'fp64_tflops');
  assert.ok(gemm?.details['threads'] === 1 && Number(gemm.details['n']) ** 2 * 8 * 3 < limit);
  const memory = ofKind(events, 'result').find((event) => event.metric === 'memory_bandwidth_gbs');
  assert.ok(memory !== undefined);
  // Either smaller and reported so, or no figure if the caches are larger than the limit.
  assert.ok(
    memory.value === null
      ? /memory limit/.test(memory.reason ?? '') && memory.details['absence'] === 'failed'
      : memory.details['full_size'] === false,
  );
});

test('arrays reduced by a memory limit are reported as not full size', async () => {
  const run = (limit: number) =>
    eventsOf(
      runner,
      'run --benchmarks memory --time-scale 0.02 --threads 1 --max-memory-bytes'.split(' ').concat(String(limit)),
    );
  const cpu = (await listDevices(runner)).find(({ backend }) => backend === 'cpu');
  const caches = Number(cpu?.attributes['llc_bytes']) * Number(cpu?.attributes['llc_domains']);
  // Full size is four times the caches; each of the three arrays is larger than them, or nothing is measured.
  const limit = Math.max(2 ** 30, 4 * caches);
  const [memory] = ofKind(await run(limit), 'result');
  assert.ok(Number(memory?.details['array_bytes']) <= limit / 3);
  assert.ok(Number(memory?.details['array_bytes']) > caches);
  assert.equal(memory?.details['full_size'], false);
});

test('a runner takes its arrays only when no other one of this machine is taking its own', async (t) => {
  const other = execa('flock', ['/dev/shm', 'sh', '-c', 'echo held; exec cat'], { reject: false });
  t.after(() => void other.stdin.end());
  await once(other.stdout, 'data');
  const limit = await memoryBeyondCache(runner);
  const run = execa(runner, ['run', '--benchmarks', 'memory', '--time-scale', '0.02', '--max-memory-bytes', limit]);
  let output = '';
  run.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('the benchmark has begun', () => output.includes('"state":"start"'));
  // The agent, which ends a silent runner, is told that the wait goes on.
  await until('it says that it goes on', () => output.includes('"event":"progress"'));
  const held = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${run.pid}/status`, 'utf8'))?.[1]) * 1024;
  assert.ok(held < Number(limit) / 10, `${held} bytes`);
  assert.doesNotMatch(output, /"event":"sample"/);
  other.stdin.end();
  await run;
  assert.match(output, /"event":"sample"/);
});

test('a runner keeps its turn while it measures with arrays of several times the caches', async () => {
  const limit = await memoryBeyondCache(runner);
  for (const benchmark of ['memory', 'copy', 'cache']) {
    const run = execa(runner, ['run', '--benchmarks', benchmark, '--max-memory-bytes', limit]);
    let output = '';
    run.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until('it measures', () => output.includes('"event":"sample"'));
    // Stopped, so that it cannot end before the lock is tried.
    run.kill('SIGSTOP');
    const tried = await execa('flock', ['--nonblock', '/dev/shm', 'true'], { reject: false });
    run.kill('SIGCONT');
    await run;
    assert.equal(tried.exitCode, 1, benchmark);
  }
});
