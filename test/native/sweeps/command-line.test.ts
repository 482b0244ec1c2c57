import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { listDevices } from '../../../agent/kernels/list-devices.ts';
import { readRunnerVersion } from '../../../agent/kernels/runner-version.ts';
import { selfTest } from '../../../agent/kernels/self-test.ts';
import { built, eventsOf, ofKind } from '../built-runner.ts';

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
  const file = join(import.meta.dirname, '../../../agent/kernels/registry.json');
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
