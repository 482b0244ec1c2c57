import assert from 'node:assert/strict';
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const native = join(import.meta.dirname, '../../../native');
const homes = [process.env['CUDA_HOME'] ?? '/usr/local/cuda', process.env['ROCM_PATH'] ?? '/opt/rocm'];
const folders = homes.map((home) => join(home, 'include')).filter((folder) => existsSync(folder));
const headers = ['library_types.h', 'cublasLt.h', 'hipblaslt/hipblaslt.h'];
const present = headers.filter((header) => folders.some((folder) => existsSync(join(folder, header))));

test(
  'the numbers of the libraries’ enumerations are those of the vendors’ own headers',
  { skip: present.length === 0 ? 'no CUDA and no ROCm headers here' : false },
  async () => {
    const includes = folders.flatMap((folder) => ['-isystem', folder]);
    const flags = ['-std=c++17', '-fsyntax-only', '-D__HIP_PLATFORM_AMD__', `-I${join(native, 'src')}`, ...includes];
    const source = join(import.meta.dirname, '../unit-vendor-values.cpp');
    const { stderr, exitCode } = await execa('g++', [...flags, source], { reject: false });
    assert.equal(exitCode, 0, stderr);
    const compared = [...stderr.matchAll(/#pragma message: compared with (\S+?)['’]/gu)].map(([, header]) => header);
    assert.deepEqual(
      compared,
      present.map((header) => header.replace('hipblaslt/', '')),
    );
  },
);
