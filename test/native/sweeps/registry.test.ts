import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  assert.ok(
    Object.values(registry.metrics).every(({ unit }) => /^(TFLOP\/s|GB\/s|GHz|ns|us|count|W|Wh|C)$/.test(unit)),
  );
});

test('GPUs have every benchmark; those that the processor lacks have a reason', () => {
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

/** Compiles `text` as the build does, warnings as errors; what the compiler says, or null if it has nothing to say. */
async function complaint(text: string): Promise<string | null> {
  const folders = [`-I${nativeFolder}/src`, `-I${nativeFolder}/device`];
  const args = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', ...folders, '-x', 'c++', '-'];
  const { exitCode, stderr } = await execa('g++', args, { input: text, reject: false });
  return exitCode === 0 ? null : stderr;
}

/** A row of a table, or a fact, as written in a file; and the error of g++ for the file without it. */
const forgotten = [
  ['registry/benchmarks.h', '"GHz", ', 'static assertion failed: each benchmark has metrics, each with its unit'],
  [
    'registry/benchmarks.h',
    ', "launch overhead"',
    'static assertion failed: each benchmark has metrics, each with its',
  ],
  ['gpu/gpu-session.cpp', '    {"memory", measure_gpu_memory, ""},\n', 'static assertion failed: each benchmark'],
  ['backends/cpu-backend.cpp', '    {"memory", measure_memory, ""},\n', 'static assertion failed: each benchmark'],
  ['gpu/vendors/nvidia.cpp', '    .renews_contexts = true,\n', 'missing initializer for member .*renews_contexts'],
  ['gpu/vendors/amd.cpp', '    .cycle_counter_bits = 20,\n', 'missing initializer for member .*cycle_counter_bits'],
  ['gpu/gemm/cublaslt.cpp', '    .allocation_failed = kAllocationFailed,\n', 'missing initializer for member .*alloc'],
  ['command-line.cpp', '    {Command::link, "link", nullptr, ', 'static assertion failed: each command has a form'],
] as const;

for (const [file, row, words] of forgotten) {
  test(`${file} without ${row.trim()} does not compile, and g++ names what is missing`, async () => {
    const whole = readFileSync(join(nativeFolder, 'src', file), 'utf8').replace('#pragma once', '');
    assert.ok(whole.includes(row));
    // Of a command's row the rest goes too.
    const [before = '', after = ''] = whole.split(row);
    const rest = file === 'command-line.cpp' ? after.slice(after.indexOf('\n') + 1) : after;
    assert.match((await complaint(before + rest)) ?? '', new RegExp(words));
  });
}

test('the files from which a row is removed compile unchanged', async () => {
  for (const file of new Set(forgotten.map(([name]) => name)))
    assert.equal(
      await complaint(readFileSync(join(nativeFolder, 'src', file), 'utf8').replace('#pragma once', '')),
      null,
    );
});

test('a benchmark that is in the registry alone does not compile in any backend', async () => {
  const table = readFileSync(join(nativeFolder, 'src/registry/benchmarks.h'), 'utf8').replace('#pragma once', '');
  const row = '    {"energy",';
  const toy = '    {"toy", {{{"toy_gbs", "GB/s", "toy"}}}, {1, 10, 60}, 22, false, false},\n';
  const larger = table.replace(row, toy + row);
  assert.notEqual(larger, table);
  assert.equal(await complaint(larger), null);
  for (const file of ['gpu/gpu-session.cpp', 'backends/cpu-backend.cpp']) {
    const source = readFileSync(join(nativeFolder, 'src', file), 'utf8');
    const folder = await mkdtemp(join(tmpdir(), 'gpumark-registry-'));
    await mkdir(join(folder, 'registry'));
    await writeFile(join(folder, 'registry/benchmarks.h'), `#pragma once\n${larger}`);
    const args = ['-std=c++17', '-fsyntax-only', `-I${folder}`, `-I${nativeFolder}/src`, `-I${nativeFolder}/device`];
    const { exitCode, stderr } = await execa('g++', [...args, '-x', 'c++', '-'], { input: source, reject: false });
    await rm(folder, { recursive: true });
    assert.notEqual(exitCode, 0, file);
    assert.match(stderr, /static assertion failed: each benchmark of the registry has a row here/);
  }
});
