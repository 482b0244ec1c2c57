import type { Fault } from './matrix-faults.ts';

/** Faults of the block-scaled kernels. */
export const scaledFaults: readonly Fault[] = [
  {
    what: "scales of B's second 128 rows taken to be those of its first",
    file: 'tcgen05-scaled.h',
    right: 'scale_tile(from + ((1 + half) * kTiles + tile)',
    spoiled: 'scale_tile(from + ((1 + (FAULT ? 0 : half)) * kTiles + tile)',
    kernel: 'tcgen05_nvfp4_128x256',
  },
  {
    what: 'scales of the other two blocks of a word',
    file: 'tcgen05-scaled.h',
    right: 'step % kStepsOfTile * kBytes',
    spoiled: '(FAULT ? 0 : step % kStepsOfTile * kBytes)',
    kernel: 'tcgen05_mxfp4_128x256',
  },
  {
    what: 'scales of the stage that is multiplied overwritten by the next',
    file: 'tcgen05-scaled.h',
    right: 'PairMemory memory, u32 stage) {\n',
    spoiled: 'PairMemory memory, u32 stage) {\n  stage = FAULT ? 0 : stage;\n',
    kernel: 'tcgen05_mxfp8_128x256',
  },
  {
    what: 'bytes of scales that the barrier does not await',
    file: 'tcgen05-scaled.h',
    right: 'kPairStageBytes + 3 * bytes',
    spoiled: 'kPairStageBytes + (FAULT ? 2 : 3) * bytes',
    kernel: 'tcgen05_mxfp4_128x256',
  },
  {
    what: 'scales of A from the lanes of the other eight rows',
    file: 'mma-sync-scaled.h',
    right: 'lane / 4 + lane % 2 * 8;',
    spoiled: 'lane / 4 + (FAULT ? 1 - lane % 2 : lane % 2) * 8;',
    kernel: 'mma_sync_nvfp4_128x128x128',
  },
  {
    what: 'scales of B of the step before',
    file: 'mma-sync-scaled.h',
    right: 'of_scales_b + from + j % 4 * 128',
    spoiled:
      'of_scales_b + (FAULT && at > 0 ? (block - kScales) / 4 * 512 + (block - kScales) % 4 : from) + j % 4 * 128',
    kernel: 'mma_sync_mxfp8_128x128x64',
  },
  {
    what: 'scales read in rows where they lie in tiles',
    file: 'mma-sync-scaled.h',
    right: 'block / 4 * 512 + block % 4;',
    spoiled: 'FAULT ? block : block / 4 * 512 + block % 4;',
    kernel: 'mma_sync_mxfp4_128x128x128',
  },
  {
    what: 'scales of the other 32 numbers along k',
    file: 'mfma-scaled.h',
    right: 'blocks + 2 * step + half];',
    spoiled: 'blocks + 2 * step + (FAULT ? 1 - half : half)];',
    kernel: 'mfma_mxfp8_256x128_gfx950',
  },
  {
    what: 'scales of A and of B exchanged',
    file: 'mfma-scaled.h',
    right: 'operands.a[i], scales.b[step][j], scales.a[step][i]);',
    spoiled:
      'operands.a[i], FAULT ? scales.a[step][i] : scales.b[step][j], FAULT ? scales.b[step][j] : scales.a[step][i]);',
    kernel: 'mfma_mxfp4_256x128_gfx950',
  },
];
