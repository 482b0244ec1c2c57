import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerOn } from '../simulated-gpus.ts';
import { nativeFolder } from '../support/built-images.ts';
import { registry } from '../support/registry.ts';

test('every metric has a unit and is of one benchmark', () => {
  assert.deepEqual(
    registry.benchmarks.flatMap(({ metrics }) => metrics).toSorted(),
    Object.keys(registry.metrics).toSorted(),
  );
  assert.ok(Object.values(registry.metrics).every((unit) => /^(TFLOP\/s|GB\/s|GHz|ns|us|count|W|Wh|C)$/.test(unit)));
});

test('GPUs have every benchmark; what the processor has not is said with the reason', () => {
  const ids = registry.benchmarks.map(({ id }) => id);
  const absent = [
    'matrix_issue',
    'gemm_fp8',
    'gemm_nvfp4',
    'gemm_mxfp4',
    'gemm_mxfp8',
    'latency',
    'link',
    'repeat',
    'march',
  ];
  for (const backend of registry.backends) {
    const without = backend.name === 'cpu' ? absent : [];
    assert.deepEqual(Object.keys(backend.absent), without, backend.name);
    assert.deepEqual(
      backend.benchmarks,
      ids.filter((id) => !without.includes(id)),
      backend.name,
    );
    for (const reason of Object.values(backend.absent))
      assert.match(reason, /on GPUs only|no fp8|no block-scaled|is the host/);
  }
  assert.deepEqual(
    registry.backends.map(({ name }) => name),
    ['cuda', 'rocm', 'cpu'],
  );
});

test('the images in the runner are those of the folder, by name', () => {
  const ending: Record<string, string> = { cubin: 'cubin', ptx: 'ptx', 'code object': 'hsaco' };
  const fileOf = (image: string): string => image.replace(/ (.*)$/, (_, kind: string) => `.${ending[kind]}`);
  const { portable, matrix } = registry.images;
  const files = [...portable.map(fileOf), ...matrix.map((image) => `matrix-${fileOf(image)}`)];
  const folder = readdirSync(join(nativeFolder, 'images')).filter((name) => name !== 'MANIFEST');
  assert.deepEqual(files.toSorted(), folder.toSorted());
});

test('the tables are those of the build: a machine full of GPUs changes nothing, and `run` knows no --json', async () => {
  const { path, options } = await runnerOn({ drivers: ['nvidia', 'amd'], sim: { DEVICES: '2' } });
  const there = await execa(path, ['--list', '--json'], options);
  assert.deepEqual([there.exitCode, JSON.parse(there.stdout)], [0, registry]);
  assert.equal((await execa(path, ['run', '--json'], options)).exitCode, 2);
});

for (const [file, row] of [
  ['registry/benchmarks.cpp', '    {"memory", {"memory_bandwidth_gbs"}, 3, 40, 1800},\n'],
  ['gpu/gpu-session.cpp', '    {"memory", measure_gpu_memory, ""},\n'],
  ['backends/cpu-backend.cpp', '    {"memory", measure_memory, ""},\n'],
] as const) {
  test(`${file} without one of its rows does not compile, and says which table it is`, async () => {
    const whole = readFileSync(join(nativeFolder, 'src', file), 'utf8');
    assert.ok(whole.includes(row));
    const args = ['-std=c++17', '-fsyntax-only', `-I${nativeFolder}/src`, `-I${nativeFolder}/device`, '-x', 'c++', '-'];
    const { exitCode, stderr } = await execa('g++', args, { input: whole.replace(row, ''), reject: false });
    assert.notEqual(exitCode, 0);
    assert.match(stderr, /static assertion failed: each benchmark/);
  });
}
