import { execa } from 'execa';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const buildFolder = join(root, 'native/build/bench');
const sources = import.meta.dirname;

export interface BenchPrograms {
  own: string;
  openblas: string;
  stream: string;
  fma: string;
}

/** Builds the runner and the four programs; ours links the objects of the shipped runner. */
export async function buildBenchPrograms(): Promise<BenchPrograms> {
  await mkdir(buildFolder, { recursive: true });
  await execa('make', ['-s', '-C', join(root, 'native'), 'archive']);
  const compile = async (name: string, flags: readonly string[], after: readonly string[] = []): Promise<string> => {
    const out = join(buildFolder, name);
    await execa('g++', [
      '-std=c++17',
      '-Wall',
      '-Wextra',
      ...flags,
      join(sources, `${name}.cpp`),
      ...after,
      '-o',
      out,
      '-ldl',
    ]);
    return out;
  };
  const includes = ['native/src', 'native/device'].map((folder) => `-I${join(root, folder)}`);
  return {
    own: await compile('own-slices', ['-O2', '-pthread', ...includes], [join(root, 'native/build/runner.a')]),
    openblas: await compile('openblas-slices', ['-O2', ...includes]),
    stream: await compile('stream-peer', ['-O3', '-march=native', '-fopenmp']),
    fma: await compile('fma-peer', [
      '-O3',
      '-march=native',
      '-mprefer-vector-width=512',
      '-fopenmp',
      '-ffp-contract=fast',
    ]),
  };
}
