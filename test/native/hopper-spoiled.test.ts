// That the simulated Hopper finds what is wrong with a kernel: one that waits too little, or describes its tiles wrongly, may not pass.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';

const native = join(import.meta.dirname, '../../native');
const simulator = join(import.meta.dirname, '../support/simulated-driver');
const kernel = 'gpumark_wgmma_fp16_128x256';

/** The device sources with Hopper's kernels alone, and `wrong` in place of `right` in one of them. */
async function spoil(folder: string, file: string, right: string, wrong: string): Promise<void> {
  await cp(join(native, 'device'), folder, { recursive: true });
  const registry = join(folder, 'gemm-kernels.h');
  const rows = /#define (GPUMARK_(?:MMA_SYNC|TCGEN05|MFMA|WMMA)_(?:GEMMS|ISSUE)\(X\))(?:.*\\\n)*.*/g;
  await writeFile(registry, (await readFile(registry, 'utf8')).replace(rows, '#define $1'));
  await writeFile(join(folder, 'matrix/matrix.cu'), '#include "wgmma-issue.h"\n#include "wgmma.h"\n');
  const path = join(folder, 'matrix', file);
  const source = await readFile(path, 'utf8');
  assert.equal(source.split(right).length, 2, `${right} stands in ${file} once`);
  await writeFile(path, source.replace(right, wrong));
}

/** Products by the kernel that these sources make: with everything else as the simulated driver has it. */
async function runSpoiled(file: string, right: string, wrong: string) {
  await simulatedDriver('nvidia');
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-spoiled-'));
  try {
    await spoil(join(folder, 'device'), file, right, wrong);
    const [object, program] = [join(folder, 'table.o'), join(folder, 'numerics')];
    const includes = [simulator, join(folder, 'device'), join(native, 'src')].flatMap((path) => ['-I', path]);
    const flags = ['-std=c++20', '-O2', '-march=native', '-pthread', '-w', ...includes];
    await execa('g++', [...flags, '-c', '-o', object, join(simulator, 'core/matrix-table.cpp')]);
    const built = join(native, 'build/sim/obj/core');
    const core = ['block-run.o', 'kernel-clock.o', 'kernel-table.o', 'tensor-map.o'].map((name) =>
      join(built, 'core', name),
    );
    const harness = (await readdir(join(built, 'numerics'))).filter((name) => name.endsWith('.o'));
    await execa('g++', [
      '-pthread',
      '-o',
      program,
      object,
      ...core,
      ...harness.map((name) => join(built, 'numerics', name)),
    ]);
    return await execa(program, ['--kernel', kernel], { reject: false, timeout: 120_000 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('as it is, the kernel passes', async () => {
  const { exitCode, stdout } = await runSpoiled('tile-pairs.h', 'kBand = 8', 'kBand = 8');
  assert.equal(exitCode, 0, stdout);
});

const wait = 'patient = patient && barrier_wait(memory.full(stage.number), stage.parity);';
const spoils: [string, string, string, string][] = [
  ['that reads tiles before they are there', 'wgmma.h', wait, 'patient = patient && stage.parity < 2;'],
  ['that gives tiles back while they are read', 'wgmma.h', 'wgmma_wait<1>();', ''],
  [
    'that waits for too few bytes',
    'tile-pairs.h',
    'barrier_arrive_awaiting(full, kPairStageBytes)',
    'barrier_arrive_awaiting(full, kPairBytesOfA)',
  ],
  [
    'that overwrites what the other block still reads',
    'wgmma.h',
    'barrier_begin(memory.empty(stage), 2 * kPairBlocks)',
    'barrier_begin(memory.empty(stage), 2)',
  ],
  ['whose rows of tiles are elsewhere', 'wgmma-ops.h', 'u64{1024 >> 4} << 32', 'u64{512 >> 4} << 32'],
];
for (const [what, file, right, wrong] of spoils) {
  test(`a kernel ${what} is found`, async () => {
    const { exitCode, stdout } = await runSpoiled(file, right, wrong);
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /FAILED/);
  });
}
