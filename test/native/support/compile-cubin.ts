import { execa } from 'execa';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeFolder } from './built-images.ts';
import { readCubin, type Cubin } from './cubin.ts';

/** Why tests that compile are skipped. */
export const noCompiler = 'no nvcc of CUDA 13.0';

/** The report of ptxas on `source` for sm_`architecture`, and the image; undefined without nvcc of CUDA 13.0. */
export async function compileCubin(
  source: string,
  architecture: string,
): Promise<{ report: string; cubin: Cubin } | undefined> {
  const { stdout, failed } = await execa('nvcc', ['--version'], { reject: false });
  if (failed || !stdout.includes('release 13.0')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-cubin-'));
  try {
    const out = join(folder, 'out.cubin');
    const flags = ['-std=c++17', '-O3', '-I', join(nativeFolder, 'device'), '-Xptxas', '-v'];
    const target = ['-gencode', `arch=compute_${architecture},code=sm_${architecture}`, '-cubin', '-o', out];
    const { stderr } = await execa('nvcc', [...flags, ...target, source]);
    return { report: stderr, cubin: readCubin(await readFile(out)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
