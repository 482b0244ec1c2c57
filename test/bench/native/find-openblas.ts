import { existsSync } from 'node:fs';
import { installPackages } from '../../support/debian-packages.ts';

const candidates = [
  '/usr/lib/x86_64-linux-gnu/libopenblas.so.0',
  '/usr/lib/aarch64-linux-gnu/libopenblas.so.0',
  '/usr/lib64/libopenblas.so.0',
];

/**
 * Path of OpenBLAS, installed through apt if it is absent and we are root; otherwise a sentence stating why it is
 * missing.
 */
export async function findOpenblas(): Promise<{ path: string } | { reason: string }> {
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return { path: found };
  if (process.getuid?.() !== 0) return { reason: 'libopenblas is absent; install libopenblas-dev' };
  await installPackages(['libopenblas-dev']);
  const installed = candidates.find((path) => existsSync(path));
  return installed === undefined
    ? { reason: 'libopenblas is absent and could not be installed: apt-get install libopenblas-dev' }
    : { path: installed };
}

/** The core types worth trying: OpenBLAS's own choice is not always its fastest (it takes Haswell kernels on Zen 5). */
export function openblasCoreTypes(isa: readonly string[]): string[] {
  if (isa.includes('neon')) return ['NEOVERSEN1', 'NEOVERSEV1', 'CORTEXA57'];
  return isa.includes('avx512f') ? ['SkylakeX', 'Haswell', 'Zen'] : ['Haswell', 'Zen'];
}
