import assert from 'node:assert/strict';
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installPackages } from '../../support/debian-packages.ts';

const native = join(import.meta.dirname, '../../../native');
const sources = join(import.meta.dirname, '..');
const homes = [process.env['CUDA_HOME'] ?? '/usr/local/cuda', process.env['ROCM_PATH'] ?? '/opt/rocm'];
const folders = [...homes.map((home) => join(home, 'include')), '/usr/include'].filter((folder) => existsSync(folder));

/** The headers that each file compares with, as they are included. NCCL's and RCCL's declare the same names: the first one counts. */
const compared = {
  'unit-vendor-values.cpp': ['library_types.h', 'cublasLt.h', 'hipblaslt/hipblaslt.h'],
  'vendor-headers.cpp': ['nvml.h', 'cuda.h', 'rocm_smi/rocm_smi.h', 'amd_smi/amdsmi.h', 'nccl.h', 'rccl/rccl.h'],
  'vendor-headers-hip.cpp': ['hip/hip_runtime_api.h'],
};
const isThere = (header: string): boolean => folders.some((folder) => existsSync(join(folder, header)));

// Installs Debian's ROCm headers as root: a check that never runs would rot unnoticed.
if (process.getuid?.() === 0 && !(isThere('hip/hip_runtime_api.h') && isThere('rocm_smi/rocm_smi.h')))
  await installPackages(['libamdhip64-dev', 'librocm-smi-dev']);

for (const [source, headers] of Object.entries(compared)) {
  const found = headers.filter(isThere);
  const present = found.filter((header) => header !== 'rccl/rccl.h' || !found.includes('nccl.h'));
  test(
    `${source}: our declarations and numbers are those of the vendors’ own headers`,
    { skip: present.length === 0 ? 'none of these headers is installed here' : false },
    async () => {
      const includes = folders.flatMap((folder) => (folder === '/usr/include' ? [] : ['-isystem', folder]));
      const ours = [`-I${join(native, 'src')}`, `-I${sources}`];
      const flags = ['-std=c++17', '-fsyntax-only', '-D__HIP_PLATFORM_AMD__', ...ours, ...includes];
      const { stderr, exitCode } = await execa('g++', [...flags, join(sources, source)], { reject: false });
      assert.equal(exitCode, 0, stderr);
      const said = [...stderr.matchAll(/#pragma message: compared with (\S+?)['’]/gu)].map(([, header]) => header);
      assert.deepEqual(
        said,
        present.map((header) => header.replace(/.*\//, '')),
      );
    },
  );
}
