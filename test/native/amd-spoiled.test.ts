// That the simulated units of AMD find what is wrong with a kernel: one that waits too little, or puts numbers elsewhere, may not pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSpoiled, type Spoil } from './support/spoiled-kernel.ts';

const mfma = { families: ['MFMA'], headers: ['mfma-issue.h', 'mfma.h'] };
const wmma = { families: ['WMMA'], headers: ['wmma-issue.h', 'wmma.h'] };
const fp16 = { ...mfma, kernel: 'gpumark_mfma_fp16_256x128' };
const fp64 = { ...mfma, kernel: 'gpumark_mfma_fp64_128x128' };
const deep = { ...mfma, kernel: 'gpumark_mfma_bf16_256x256_gfx950' };
const wide = { ...mfma, kernel: 'gpumark_mfma_fp8_256x256_gfx950' };
const gfx11 = { ...wmma, kernel: 'gpumark_wmma_fp16_256x128_gfx11' };

for (const whole of [fp16, fp64, deep, wide, gfx11]) {
  test(`${whole.kernel} passes as it is`, async () => {
    const { exitCode, stdout } = await runSpoiled({
      ...whole,
      file: 'amd-gemm.h',
      right: 'kBand = 1024',
      wrong: 'kBand = 1024',
    });
    assert.equal(exitCode, 0, stdout);
  });
}

const barrier = 'local_barrier(S::kThreads);\n';
const spoils: readonly [string, Spoil][] = [
  [
    'that reads a stage before all have written it',
    {
      ...fp16,
      file: 'amd-gemm.h',
      right: `  ${barrier}  amd_border();`,
      wrong: '  amd_border();',
    },
  ],
  [
    'that overwrites a stage that others still read',
    {
      ...gfx11,
      file: 'amd-gemm.h',
      right: `  amd_advance(copy, more);\n  ${barrier}}`,
      wrong: '  amd_advance(copy, more);\n}',
    },
  ],
  [
    'that goes round its three buffers without waiting',
    { ...wide, file: 'amd-gemm.h', right: `  ${barrier}  next = after;`, wrong: '  next = after;' },
  ],
  [
    'whose waves do not wait for their own results',
    {
      ...fp16,
      file: 'amd-gemm-write.h',
      right: 'wave_barrier<S::Op::kWave>();\n      amd_copy_out',
      wrong: 'amd_copy_out',
    },
  ],
  [
    'that reads operands where they were not written',
    {
      ...fp16,
      file: 'amd-tiles.h',
      right: 'row * S::kRowChunks + swizzled<S::kRowChunks>(row, thread % S::kRowChunks)',
      wrong: 'row * S::kRowChunks + thread % S::kRowChunks',
    },
  ],
  [
    'that takes fp64 results to lie like those of fp32',
    { ...fp64, file: 'mfma-ops.h', right: 'return 4 * i + lane / 16;', wrong: 'return 4 * (lane / 16) + i;' },
  ],
  [
    'that multiplies one step twice and another never',
    {
      ...deep,
      file: 'amd-gemm.h',
      right: 'now, step + 1, part.row',
      wrong: 'now, step, part.row',
    },
  ],
  [
    "that takes gfx11's results to lie like gfx12's",
    { ...gfx11, file: 'wmma-ops.h', right: 'return 2 * i + lane / 16;', wrong: 'return 8 * (lane / 16) + i;' },
  ],
  [
    "that loses a chiplet's tiles",
    { ...fp64, file: 'amd-wave.h', right: '(chiplet < rest ? chiplet : rest)', wrong: 'chiplet' },
  ],
  [
    'that reads the stage that comes next twice',
    { ...fp16, file: 'amd-gemm.h', right: 'amd_advance(copy, stages > i + 2)', wrong: 'amd_advance(copy, false)' },
  ],
];
for (const [what, spoil] of spoils) {
  test(`a kernel ${what} is found`, async () => {
    const { exitCode, stdout } = await runSpoiled(spoil);
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /FAILED/);
  });
}
