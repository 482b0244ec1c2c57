import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedDriver } from '../simulated-driver.ts';

const native = join(import.meta.dirname, '../../../native');
const simulator = join(import.meta.dirname, '../../support/simulated-driver');

export interface Spoil {
  /** Families whose rows stay in the registry, such as MFMA, and the headers with their kernels. */
  families: readonly string[];
  headers: readonly string[];
  kernel: string;
  /** In this file of native/device/matrix, `wrong` stands in place of `right`. */
  file: string;
  right: string;
  wrong: string;
}

async function writeSources(folder: string, spoil: Spoil): Promise<void> {
  await cp(join(native, 'device'), folder, { recursive: true });
  const registry = join(folder, 'gemm-kernels.h');
  const lists = /#define GPUMARK_(MMA_SYNC|WGMMA|TCGEN05|MFMA|WMMA)_(GEMMS|ISSUE)\(X\)(?:.*\\\n)*.*/g;
  const kept = (await readFile(registry, 'utf8')).replace(lists, (list: string, family: string, kind: string) =>
    spoil.families.includes(family) ? list : `#define GPUMARK_${family}_${kind}(X)`,
  );
  await writeFile(registry, kept);
  await writeFile(join(folder, 'matrix/matrix.cu'), spoil.headers.map((name) => `#include "${name}"\n`).join(''));
  const path = join(folder, 'matrix', spoil.file);
  const source = await readFile(path, 'utf8');
  assert.equal(source.split(spoil.right).length, 2, `${spoil.right} stands in ${spoil.file} once`);
  await writeFile(path, source.replace(spoil.right, spoil.wrong));
}

/** Products by the kernel that the spoiled sources make, everything else being as the simulated driver has it. */
export async function runSpoiled(spoil: Spoil) {
  await simulatedDriver('nvidia');
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-spoiled-'));
  try {
    await writeSources(join(folder, 'device'), spoil);
    const [object, program] = [join(folder, 'table.o'), join(folder, 'numerics')];
    const includes = [simulator, join(folder, 'device'), join(native, 'src')].flatMap((path) => ['-I', path]);
    const flags = ['-std=c++20', '-O2', '-march=native', '-pthread', '-w', ...includes];
    await execa('g++', [...flags, '-c', '-o', object, join(simulator, 'core/matrix-table.cpp')]);
    const built = join(native, 'build/sim/obj/core');
    const parts = ['block-run', 'kernel-clock', 'kernel-table', 'tensor-map'].map((name) => `core/${name}.o`);
    const harness = (await readdir(join(built, 'numerics'))).filter((name) => name.endsWith('.o'));
    const objects = [...parts, ...harness.map((name) => `numerics/${name}`)].map((name) => join(built, name));
    await execa('g++', ['-pthread', '-o', program, object, ...objects]);
    return await execa(program, ['--kernel', spoil.kernel, '--random', '1'], { reject: false, timeout: 120_000 });
  } finally {
    await rm(folder, { recursive: true });
  }
}
