import { execa } from 'execa';
import { existsSync } from 'node:fs';

const candidates = [
  '/usr/lib/x86_64-linux-gnu/libopenblas.so.0',
  '/usr/lib/aarch64-linux-gnu/libopenblas.so.0',
  '/usr/lib64/libopenblas.so.0',
];

/** Path of OpenBLAS, installed through apt when it is absent and we are root; else the sentence why there is none. */
export async function findOpenblas(): Promise<{ path: string } | { reason: string }> {
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return { path: found };
  if (process.getuid?.() !== 0) return { reason: 'libopenblas is absent; install libopenblas-dev' };
  const apt = await execa('apt-get', ['install', '-y', '--no-install-recommends', 'libopenblas-dev'], {
    reject: false,
    timeout: 180_000,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  const installed = candidates.find((path) => existsSync(path));
  return installed === undefined
    ? { reason: `apt-get install libopenblas-dev failed (${apt.exitCode ?? 'no apt-get'})` }
    : { path: installed };
}

/** The core types worth trying: OpenBLAS's own choice is not always its best (it takes Haswell kernels on Zen 5). */
export function openblasCoreTypes(isa: readonly string[]): string[] {
  if (isa.includes('neon')) return ['NEOVERSEN1', 'NEOVERSEV1', 'CORTEXA57'];
  return isa.includes('avx512f') ? ['SkylakeX', 'Haswell', 'Zen'] : ['Haswell', 'Zen'];
}
