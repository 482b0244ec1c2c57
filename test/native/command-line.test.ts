import assert from 'node:assert/strict';
import { execa } from 'execa';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { listDevices } from '../../agent/kernels/list-devices.ts';
import { readRunnerVersion } from '../../agent/kernels/runner-version.ts';
import { selfTest } from '../../agent/kernels/self-test.ts';
import { until } from '../support/until.ts';
import { built, eventsOf, memoryBeyondCache, ofKind } from './built-runner.ts';

let runner = '';
before(async () => {
  runner = await built('gpumark-runner');
});

test('the list names all three backends, and one without driver says which library it missed', async () => {
  const devices = await listDevices(runner);
  assert.deepEqual([...new Set(devices.map((device) => device.backend))].toSorted(), ['cpu', 'cuda', 'rocm']);
  const cpu = devices.find((device) => device.backend === 'cpu');
  assert.ok(cpu?.status === 'ok' && cpu.device_id === 'cpu-0' && Number(cpu.attributes['threads']) >= 1);
  for (const device of devices) {
    assert.notEqual(device.detail, '');
    if (device.status === 'no-driver') assert.match(device.detail, /lib(cuda|amdhip64)\.so/);
  }
});

test('a machine without the driver is a clean exit 5 with a remedy', async () => {
  const events = await eventsOf(runner, ['run', '--device', 'cuda'], {});
  assert.equal(ofKind(events, 'summary')[0]?.exit_code, 5);
  const [error] = ofKind(events, 'error');
  assert.ok(error?.code === 'no_usable_device' && error.remedy !== '');
});

test('an unknown device is exit 5, not the first device', async () => {
  const events = await eventsOf(runner, ['run', '--device', 'cpu-7']);
  assert.equal(ofKind(events, 'summary')[0]?.exit_code, 5);
  assert.equal(ofKind(events, 'result').length, 0);
});

for (const args of [
  [],
  ['sprint'],
  ['run', '--benchmarks', 'gemm_fp33'],
  ['run', '--benchmarks', ''],
  ['run', '--threads', '0'],
  ['run', '--threads', '-1'],
  ['run', '--seed', '99999999999999999999'],
  ['run', '--tier', 'fast'],
  ['run', '--data', 'ones'],
  ['run', '--verbose', '1'],
  ['run', '--device'],
  ['matrix', '--benchmarks', 'fma'],
  ['link', '--allow-public=yes'],
  ['collective', '--ranks', '2', '--first-rank', '0'],
  ['collective', '--ranks', '2', '--first-rank', '2', '--deadline-seconds', '1'],
]) {
  test(`usage: "${args.join(' ')}" is exit 2 with text on stderr and nothing on stdout`, async () => {
    const { exitCode, stdout, stderr } = await execa(runner, args, { reject: false });
    assert.deepEqual([exitCode, stdout], [2, '']);
    assert.match(stderr, /gpumark-runner run/);
  });
}

test('the version names revision, protocol, compiler and instruction sets', async () => {
  const version = await readRunnerVersion(runner);
  assert.equal(version.protocol, 'gpumark.native/1');
  assert.ok(version.isa.includes(process.arch === 'x64' ? 'sse2' : 'neon'));
});

test('the registry that the agent is made with is the one that the runner prints', async () => {
  const file = join(import.meta.dirname, '../../agent/kernels/registry.json');
  assert.equal(`${(await execa(runner, ['--registry'])).stdout}\n`, readFileSync(file, 'utf8'), 'run make native');
});

test('the self-test passes for every kernel this processor runs', async () => {
  assert.deepEqual(await selfTest(runner, 'cpu'), { passed: true, problems: [] });
});

test('the file needs the C library only', async (t) => {
  const { stdout } = await execa('ldd', [runner]);
  const libraries = stdout.split('\n').map((line) => line.trim().split(' ')[0]?.replace(/^.*\//, '') ?? '');
  for (const library of libraries) assert.match(library, /^(linux-vdso|libc|libm|libdl|libpthread|ld-linux)/);
  const { stdout: symbols } = await execa('readelf', ['-V', '-W', runner]);
  assert.doesNotMatch(symbols, /GLIBCXX|CXXABI/);
  const versions = [...symbols.matchAll(/GLIBC_2\.(\d+)/g)].map((match) => Number(match[1]));
  t.diagnostic(`needs glibc 2.${Math.max(...versions)} or newer`);
});

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
