// That the simulated Hopper and Blackwell find what is wrong with a kernel: one that waits too little, or describes its tiles wrongly, may not
// pass.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';

const native = join(import.meta.dirname, '../../native');
const simulator = join(import.meta.dirname, '../support/simulated-driver');

/** The device sources with Hopper's and Blackwell's kernels alone, and `wrong` in place of `right` in one of them. */
async function spoil(folder: string, file: string, right: string, wrong: string): Promise<void> {
  await cp(join(native, 'device'), folder, { recursive: true });
  const registry = join(folder, 'gemm-kernels.h');
  const rows = /#define (GPUMARK_(?:MMA_SYNC|MFMA|WMMA)_(?:GEMMS|ISSUE)\(X\))(?:.*\\\n)*.*/g;
  await writeFile(registry, (await readFile(registry, 'utf8')).replace(rows, '#define $1'));
  const kept = ['wgmma-issue.h', 'wgmma.h', 'tcgen05-issue.h', 'tcgen05.h'];
  await writeFile(join(folder, 'matrix/matrix.cu'), kept.map((name) => `#include "${name}"\n`).join(''));
  const path = join(folder, 'matrix', file);
  const source = await readFile(path, 'utf8');
  assert.equal(source.split(right).length, 2, `${right} stands in ${file} once`);
  await writeFile(path, source.replace(right, wrong));
}

/** Products by the kernel that these sources make: with everything else as the simulated driver has it. */
async function runSpoiled(kernel: string, file: string, right: string, wrong: string) {
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

const hopper = 'gpumark_wgmma_fp16_128x256';
const blackwell = 'gpumark_tcgen05_fp16_128x256';

for (const kernel of [hopper, blackwell]) {
  test(`as it is, ${kernel} passes`, async () => {
    const { exitCode, stdout } = await runSpoiled(kernel, 'tile-pairs.h', 'kBand = 8', 'kBand = 8');
    assert.equal(exitCode, 0, stdout);
  });
}

const full = 'barrier_wait(memory.full(stage.number), stage.parity);';
const awaited = 'barrier_arrive_awaiting(full, kPairStageBytes)';
const readers = 'barrier_begin(memory.empty(stage), 2 * kPairBlocks)';
const both = 'arrive_when_multiplied_at((1u << kPairBlocks) - 1, memory.empty(stage.number));';
const atOnce = 'barrier_arrive_at(memory.empty(stage.number), 0), barrier_arrive_at(memory.empty(stage.number), 1);';
const spoils: [string, string, string, string, string][] = [
  ['reads tiles before they are there', hopper, 'wgmma.h', full, 'stage.parity < 2;'],
  ['gives tiles back while they are read', hopper, 'wgmma.h', 'wgmma_wait<1>();', ''],
  ['waits for too few bytes', hopper, 'tile-pairs.h', awaited, awaited.replace('StageBytes', 'BytesOfA')],
  ['overwrites what the other block still reads', hopper, 'wgmma.h', readers, readers.replace(' * kPairBlocks', '')],
  ['looks for rows of tiles elsewhere', hopper, 'wgmma-ops.h', 'u64{1024 >> 4} << 32', 'u64{512 >> 4} << 32'],
  ['gives tiles back before they are multiplied', blackwell, 'tcgen05.h', both, atOnce],
  ['writes sums that have not come', blackwell, 'tcgen05.h', 'wait_for_sums(sum);', ''],
];
for (const [what, kernel, file, right, wrong] of spoils) {
  test(`a ${kernel.includes('wgmma') ? 'Hopper' : 'Blackwell'} kernel that ${what} is found`, async () => {
    const { exitCode, stdout } = await runSpoiled(kernel, file, right, wrong);
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /FAILED/);
  });
}
