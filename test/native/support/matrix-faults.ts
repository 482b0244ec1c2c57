/** A fault to build into the matrix kernels, and a kernel in which the harness has to find it. */
export interface Fault {
  what: string;
  /** In native/device/matrix. */
  file: string;
  right: string;
  /** The faulty code; FAULT is true if this fault is chosen. */
  spoiled: string;
  kernel: string;
}

const hopper = 'wgmma_fp16_128x256';
const blackwell = 'tcgen05_fp16_128x256';
const mfma = 'mfma_fp16_256x128';
const wide = 'mfma_fp8_256x256_gfx950';
const gfx11 = 'wmma_fp16_256x128_gfx11';

export const plainFaults: readonly Fault[] = [
  {
    what: 'a wait that allows one group of copies too many in flight',
    file: 'mma-sync-loop.h',
    right: '        copies.template wait<S::kStages - 2>();',
    spoiled: 'if (!FAULT) copies.template wait<S::kStages - 2>(); else copies.template wait<S::kStages - 1>();',
    kernel: 'mma_sync_bf16_128x256x64',
  },
  {
    what: 'no barrier between tiles',
    file: 'mma-sync-loop.h',
    right: 'block_barrier(S::kThreads);\n        write = read;',
    spoiled: 'if (!FAULT) block_barrier(S::kThreads);\n        write = read;',
    kernel: 'mma_sync_fp16_128x256x32',
  },
  {
    what: 'copies to the stage that is being read',
    file: 'mma-sync-loop.h',
    right: 'copy_tiles<S>(copies, sources, write)',
    spoiled: 'copy_tiles<S>(copies, sources, FAULT ? read : write)',
    kernel: 'mma_sync_tf32_128x256x16',
  },
  {
    what: 'a swizzle that reads and writes agree on and that sends two lanes to one bank',
    file: 'mma-sync-shape.h',
    right: 'row % 8 : row / 2 % 4;',
    spoiled: 'row % 8 : FAULT ? row % 4 : row / 2 % 4;',
    kernel: 'mma_sync_fp8_128x128x64',
  },
  {
    what: 'fragments of A with the halves of their depth exchanged',
    file: 'mma-sync-warp.h',
    right: 'chunk_at<S>(row + lane % 16, lane / 16)',
    spoiled: 'chunk_at<S>(row + lane % 16, FAULT ? 1 - lane / 16 : lane / 16)',
    kernel: 'mma_sync_mixed_128x128x32',
  },
  {
    what: 'rows read beyond the last',
    file: 'mma-sync-copy.h',
    right: 'return x < y ? x : y;',
    spoiled: 'return x < y || FAULT ? x : y;',
    kernel: 'mma_sync_fp16_128x128x32',
  },
  {
    what: 'a row written beyond the last',
    file: 'mma-sync-write.h',
    right: 'to_row >= args.m',
    spoiled: '(FAULT ? to_row > args.m : to_row >= args.m)',
    kernel: 'mma_sync_bf16_128x128x32',
  },
  {
    what: 'tiles of the second band instead of those of the first',
    file: 'mma-sync-shape.h',
    right: '(first + within % rows)',
    spoiled: '((FAULT ? 0 : first) + within % rows)',
    kernel: 'mma_sync_tf32_128x256x32',
  },
  {
    what: 'a wrong chunk of a row of fp64',
    file: 'mma-sync-double.h',
    right: 'load_one(second, address ^ 32)',
    spoiled: 'load_one(second, address ^ (FAULT ? 64 : 32))',
    kernel: 'mma_sync_fp64_128x128x16_k8',
  },
  {
    what: 'the tile that is being read overwritten by registers',
    file: 'mma-sync-loop.h',
    right: 'fetched.store(sources, shared + stage)',
    spoiled: 'fetched.store(sources, shared + (FAULT ? S::kStageBytes - stage : stage))',
    kernel: 'mma_sync_fp16_128x128x32_turing',
  },
  {
    what: 'tiles read before they are there',
    file: 'wgmma.h',
    right: 'barrier_wait(memory.full(stage.number), stage.parity);',
    spoiled: '(FAULT || barrier_wait(memory.full(stage.number), stage.parity));',
    kernel: hopper,
  },
  {
    what: 'tiles released while they are read',
    file: 'wgmma.h',
    right: 'wgmma_wait<1>(sum);',
    spoiled: 'if (!FAULT) wgmma_wait<1>(sum);',
    kernel: hopper,
  },
  {
    what: 'a barrier that awaits too few bytes',
    file: 'tile-pairs.h',
    right: 'barrier_arrive_awaiting(full, kPairStageBytes)',
    spoiled: 'barrier_arrive_awaiting(full, FAULT ? kPairBytesOfA : kPairStageBytes)',
    kernel: hopper,
  },
  {
    what: 'tiles overwritten that the other block still reads',
    file: 'wgmma.h',
    right: 'barrier_begin(memory.empty(stage), 2 * kPairBlocks)',
    spoiled: 'barrier_begin(memory.empty(stage), FAULT ? 2 : 2 * kPairBlocks)',
    kernel: hopper,
  },
  {
    what: 'rows of a tile looked for elsewhere',
    file: 'wgmma-ops.h',
    right: 'u64{1024 >> 4} << 32',
    spoiled: 'static_cast<u64>(FAULT ? 512 >> 4 : 1024 >> 4) << 32',
    kernel: hopper,
  },
  {
    what: 'tiles released before they are multiplied',
    file: 'tcgen05.h',
    right: 'arrive_when_multiplied_at((1u << kPairBlocks) - 1, memory.empty(stage.number));',
    spoiled:
      '(FAULT ? (barrier_arrive_at(memory.empty(stage.number), 0), barrier_arrive_at(memory.empty(stage.number), 1)) : arrive_when_multiplied_at((1u << kPairBlocks) - 1, memory.empty(stage.number)));',
    kernel: blackwell,
  },
  {
    what: 'sums written that have not come',
    file: 'tcgen05.h',
    right: 'wait_for_sums(sum);',
    spoiled: 'if (!FAULT) wait_for_sums(sum);',
    kernel: blackwell,
  },
  {
    what: 'a stage read before all have written it',
    file: 'amd-gemm.h',
    right: '  local_barrier(S::kThreads);\n  amd_border();',
    spoiled: '  if (!FAULT) local_barrier(S::kThreads);\n  amd_border();',
    kernel: mfma,
  },
  {
    what: 'a stage overwritten that others still read',
    file: 'amd-gemm.h',
    right: '  amd_advance(copy, more);\n  local_barrier(S::kThreads);\n}',
    spoiled: '  amd_advance(copy, more);\n  if (!FAULT) local_barrier(S::kThreads);\n}',
    kernel: gfx11,
  },
  {
    what: 'three buffers gone round without waiting',
    file: 'amd-gemm.h',
    right: 'local_barrier(S::kThreads);\n  next = after;',
    spoiled: 'if (!FAULT) local_barrier(S::kThreads);\n  next = after;',
    kernel: wide,
  },
  {
    what: 'waves that do not wait for their own results',
    file: 'amd-gemm-write.h',
    right: 'wave_barrier<S::Op::kWave>();\n      amd_copy_out',
    spoiled: 'if (!FAULT) wave_barrier<S::Op::kWave>();\n      amd_copy_out',
    kernel: mfma,
  },
  {
    what: 'operands read where they were not written',
    file: 'amd-tiles.h',
    right: 'swizzled<S::kRowChunks>(row, thread % S::kRowChunks)',
    spoiled: '(FAULT ? thread % S::kRowChunks : swizzled<S::kRowChunks>(row, thread % S::kRowChunks))',
    kernel: mfma,
  },
  {
    what: 'fp64 results taken to lie like those of fp32',
    file: 'mfma-ops.h',
    right: 'return 4 * i + lane / 16;',
    spoiled: 'return FAULT ? 4 * (lane / 16) + i : 4 * i + lane / 16;',
    kernel: 'mfma_fp64_128x128',
  },
  {
    what: 'one step multiplied twice and another never',
    file: 'amd-gemm.h',
    right: 'now, step + 1, part.row',
    spoiled: 'now, FAULT ? step : step + 1, part.row',
    kernel: 'mfma_bf16_256x256_gfx950',
  },
  {
    what: "gfx11's results taken to lie like gfx12's",
    file: 'wmma-ops.h',
    right: 'return 2 * i + lane / 16;',
    spoiled: 'return FAULT ? 8 * (lane / 16) + i : 2 * i + lane / 16;',
    kernel: gfx11,
  },
  {
    what: "a chiplet's tiles lost",
    file: 'amd-wave.h',
    right: '(chiplet < rest ? chiplet : rest)',
    spoiled: '(FAULT || chiplet < rest ? chiplet : rest)',
    kernel: 'mfma_fp64_128x128',
  },
  {
    what: 'the stage that comes next read twice',
    file: 'amd-gemm.h',
    right: 'amd_advance(copy, stages > i + 2)',
    spoiled: 'amd_advance(copy, !FAULT && stages > i + 2)',
    kernel: mfma,
  },
];
