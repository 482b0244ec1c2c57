// Matrix product on AMD's matrix instructions, C = A x B^T, row-major: tiles of A and B in local memory in two buffers, the next ones on
// their way in registers, a block of C in each wave's registers. `Op` is the instruction: mfma-ops.h, wmma-ops.h.
//   A stage is row_bytes of each row of the tiles. While stage s is multiplied, s + 1 is written to the other buffer and s + 2 is loaded.
//   Operands of the next step are read from local memory while those of this one are multiplied, also across the one barrier of a stage.
#pragma once
#include "amd-gemm-write.h"
#include "amd-wave.h"

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

/**
 * Where chunk `chunk` of row `row` lies within its row of `chunks`. Reading 16 bytes per lane, local memory serves 8 lanes at a time, on
 * gfx950 16, out of 32 or 64 banks: 0-3 with 20-23, 4-7 with 16-19 and so on (CK Tile's documentation), gfx950 0-3, 12-15, 20-23, 24-27.
 * In each of these sets no two of 16 or 32 consecutive rows then share a bank, nor do 8 or 16 consecutive lanes.
 */
template <u32 chunks>
GPUMARK_DEVICE constexpr u32 swizzled(u32 row, u32 chunk) {
  static_assert(chunks == 4 || chunks == 8, "rows of 64 or 128 bytes");
  return chunk ^ ((chunks == 4 ? row / 2 % 4 : row % 8) ^ (row / 8 % 2));
}

/** waves_down x waves_across waves of blocks_down x blocks_across results of Op each. */
template <class Op_, class Out_, u32 row_bytes, u32 waves_down, u32 waves_across, u32 blocks_down, u32 blocks_across>
struct AmdShape {
  typedef Op_ Op;
  typedef Out_ Out;
  static constexpr u32 kRowBytes = row_bytes, kRowChunks = row_bytes / 16, kSteps = kRowChunks / Op::kStepChunks;
  static constexpr u32 kWavesAcross = waves_across, kThreads = waves_down * waves_across * Op::kWave;
  static constexpr u32 kDown = blocks_down, kAcross = blocks_across;
  static constexpr u32 kTileM = waves_down * blocks_down * Op::kEdge, kTileN = waves_across * blocks_across * Op::kEdge;
  /** Chunks of a tile that a thread copies. */
  static constexpr u32 kCopiesA = kTileM * kRowChunks / kThreads, kCopiesB = kTileN * kRowChunks / kThreads, kCopies = kCopiesA + kCopiesB;
  static constexpr u32 kBufferChunks = (kTileM + kTileN) * kRowChunks;
  static_assert(kCopiesA * kThreads == kTileM * kRowChunks && kCopiesB * kThreads == kTileN * kRowChunks, "all threads copy alike");
  static_assert(waves_down * waves_across * AmdStrip<Op, Out>::kChunks <= 2 * kBufferChunks, "results go out through the same memory");
};

template <class S>
struct AmdBuffers {
  Chunk at[2][S::kBufferChunks];
};

/** Operands of one step: what this lane gives to the instructions. */
template <class S>
struct AmdOperands {
  Chunk a[S::kDown][S::Op::kChunks], b[S::kAcross][S::Op::kChunks];
};

/** Where a thread copies from and to. Rows beyond the last are read as the last: what comes of them is not written. */
template <class S>
struct AmdCopy {
  const unsigned char* a;
  const unsigned char* b;
  /** Bytes from the tile's first row, per copy. */
  u32 from[S::kCopies];
  Chunk on_the_way[S::kCopies];
};

template <class S>
GPUMARK_DEVICE AmdCopy<S> amd_copy(const GemmArgs& args, AmdTile tile, u32 stride) {
  AmdCopy<S> copy;
  const u32 thread = thread_index(), row = thread / S::kRowChunks, column = thread % S::kRowChunks * 16;
  const u32 top = tile.row * S::kTileM, left = tile.column * S::kTileN;
  copy.a = static_cast<const unsigned char*>(args.a) + static_cast<u64>(top) * stride;
  copy.b = static_cast<const unsigned char*>(args.b) + static_cast<u64>(left) * stride;
  constexpr u32 kRowsAtOnce = S::kThreads / S::kRowChunks;
#pragma unroll
  for (u32 i = 0; i < S::kCopiesA; ++i) copy.from[i] = (row + i * kRowsAtOnce < args.m - top ? row + i * kRowsAtOnce : args.m - top - 1) * stride + column;
#pragma unroll
  for (u32 i = 0; i < S::kCopiesB; ++i) copy.from[S::kCopiesA + i] = (row + i * kRowsAtOnce < args.n - left ? row + i * kRowsAtOnce : args.n - left - 1) * stride + column;
  return copy;
}

/** Loads copy `i` of a stage. */
template <class S>
GPUMARK_DEVICE void amd_load(AmdCopy<S>& copy, u32 i) {
  // A base in scalar registers and an offset of 32 bits in a vector register is one addressing mode; the compiler must see the widening here.
  opaque(copy.from[i]);
  copy.on_the_way[i] = *reinterpret_cast<const Chunk*>((i < S::kCopiesA ? copy.a : copy.b) + copy.from[i]);
}

/** Goes on to the next stage, or stays where there is none: the last is loaded again, for nobody. */
template <class S>
GPUMARK_DEVICE void amd_advance(AmdCopy<S>& copy, bool more) {
  copy.a += more ? S::kRowBytes : 0;
  copy.b += more ? S::kRowBytes : 0;
}

/** Where copy 0 of this thread goes; the others lie a multiple of 16 rows on, over which the swizzle repeats. */
template <class S>
GPUMARK_DEVICE u32 amd_place() {
  const u32 thread = thread_index(), row = thread / S::kRowChunks;
  return row * S::kRowChunks + swizzled<S::kRowChunks>(row, thread % S::kRowChunks);
}

/** Writes copies `first` to `last` to `buffer`, and loads those of the next stage: one by one, as LLVM keeps the order of these accesses. */
template <class S>
GPUMARK_DEVICE void amd_pass_on(AmdCopy<S>& copy, Chunk* buffer, u32 first, u32 last) {
  Chunk* to = buffer + amd_place<S>();
#if GPUMARK_SIMULATED
  drift();
#endif
#pragma unroll
  for (u32 i = first; i < last; ++i) {
    to[i * S::kThreads] = copy.on_the_way[i];
    amd_load(copy, i);
  }
}

/** Reads the operands of step `step`. `lane_row` is the wave's first row in the tile of A and of B. */
template <class S>
GPUMARK_DEVICE void amd_read(AmdOperands<S>& operands, const Chunk* buffer, u32 step, u32 row_a, u32 row_b, u32 lane) {
  using Op = typename S::Op;
  const u32 line = lane % Op::kEdge;
#if GPUMARK_SIMULATED
  drift();
#endif
#pragma unroll
  for (u32 c = 0; c < Op::kChunks; ++c) {
    const Chunk* from = buffer + line * S::kRowChunks + swizzled<S::kRowChunks>(line, step * Op::kStepChunks + Op::chunk(lane, c));
#pragma unroll
    for (u32 i = 0; i < S::kDown; ++i) operands.a[i][c] = from[(row_a + i * Op::kEdge) * S::kRowChunks];
#pragma unroll
    for (u32 j = 0; j < S::kAcross; ++j) operands.b[j][c] = from[(S::kTileM + row_b + j * Op::kEdge) * S::kRowChunks];
  }
}

template <class S>
GPUMARK_DEVICE void amd_keep(AmdOperands<S>& operands) {
#pragma unroll
  for (u32 c = 0; c < S::Op::kChunks; ++c) {
#pragma unroll
    for (u32 i = 0; i < S::kDown; ++i) opaque(operands.a[i][c]);
#pragma unroll
    for (u32 j = 0; j < S::kAcross; ++j) opaque(operands.b[j][c]);
  }
}

template <class S>
struct AmdSums {
  typename S::Op::Sum at[S::kDown][S::kAcross];
};

/** Rows `first` to `last` of the wave's blocks. B goes first: a lane then has neighbours of one row of C. */
template <class S>
GPUMARK_DEVICE void amd_multiply(AmdSums<S>& sums, const AmdOperands<S>& operands, u32 first, u32 last) {
#pragma unroll
  for (u32 part = 0; part < S::Op::kInstructions; ++part) {
#pragma unroll
    for (u32 i = first; i < last; ++i) {
#pragma unroll
      for (u32 j = 0; j < S::kAcross; ++j) S::Op::multiply(sums.at[i][j], operands.b[j], operands.a[i], part);
    }
  }
}

/** Where a wave's part of the tile begins. */
struct AmdPart {
  u32 row, column;
};
template <class S>
GPUMARK_DEVICE AmdPart amd_part(u32 wave) {
  return {wave / S::kWavesAcross * S::kDown * S::Op::kEdge, wave % S::kWavesAcross * S::kAcross * S::Op::kEdge};
}

/**
 * Asks the compiler for an even mix between here and the last border: a matrix instruction, then one access to memory, for as long as
 * there are both. The matrix instructions take some 32 cycles each, so that everything else is issued in their shadow.
 */
template <u32 reads, u32 copies, u32 multiplies>
GPUMARK_DEVICE void amd_mix() {
#if GPUMARK_AMD
  constexpr int kMatrix = 0x8, kLoad = 0x20, kRead = 0x100, kWrite = 0x200;
  constexpr bool kRoomy = multiplies >= reads + 2 * copies;
#pragma unroll
  for (u32 i = 0; i < reads; ++i) {
    __builtin_amdgcn_sched_group_barrier(kMatrix, 1, 0);
    __builtin_amdgcn_sched_group_barrier(kRead, 1, 0);
  }
#pragma unroll
  for (u32 i = 0; i < copies; ++i) {
    __builtin_amdgcn_sched_group_barrier(kMatrix, 1, 0);
    __builtin_amdgcn_sched_group_barrier(kWrite, 1, 0);
    if (kRoomy) __builtin_amdgcn_sched_group_barrier(kMatrix, 1, 0);
    __builtin_amdgcn_sched_group_barrier(kLoad, 1, 0);
  }
  constexpr u32 kUsed = reads + (kRoomy ? 2 : 1) * copies;
  if (kUsed < multiplies) __builtin_amdgcn_sched_group_barrier(kMatrix, multiplies - kUsed, 0);
  __builtin_amdgcn_sched_barrier(0);
#endif
}

/** One stage: see the head of this file. On entry operands[0] holds step 0 of `now`; on return, of `next`. */
template <class S>
GPUMARK_DEVICE void amd_stage(AmdSums<S>& sums, AmdOperands<S> (&operands)[2], AmdCopy<S>& copy, Chunk* now, Chunk* next, AmdPart part, u32 lane, bool more) {
  constexpr u32 kReads = (S::kDown + S::kAcross) * S::Op::kChunks, kMultiplies = S::kDown * S::kAcross * S::Op::kInstructions;
  constexpr u32 kLast = (S::kSteps - 1) % 2, kParts = S::kSteps == 1 ? 1 : S::kSteps - 1, kPart = (S::kCopies + kParts - 1) / kParts;
  // With one step, half of it stands before the barrier, so that writing to local memory has time.
  constexpr u32 kBefore = S::kSteps == 1 ? S::kDown / 2 : 0;
#pragma unroll
  for (u32 step = 0; step < kParts; ++step) {
    const u32 first = step * kPart, last = first + kPart < S::kCopies ? first + kPart : S::kCopies;
    if (S::kSteps > 1) amd_read(operands[(step + 1) % 2], now, step + 1, part.row, part.column, lane);
    amd_pass_on(copy, next, first, last);
    amd_multiply(sums, operands[step % 2], 0, S::kSteps > 1 ? S::kDown : kBefore);
    amd_mix<S::kSteps == 1 ? 0 : kReads, kPart, S::kSteps == 1 ? kMultiplies * kBefore / S::kDown : kMultiplies>();
  }
  amd_advance(copy, more);
  local_barrier(S::kThreads);
#if GPUMARK_AMD
  __builtin_amdgcn_sched_barrier(0);
#endif
  amd_read(operands[kLast ^ 1], next, 0, part.row, part.column, lane);
  amd_multiply(sums, operands[kLast], kBefore, S::kDown);
  amd_mix<kReads, 0, kMultiplies - kMultiplies * kBefore / S::kDown>();
  if (kLast == 0) operands[0] = operands[1];
}

template <class S>
GPUMARK_DEVICE void amd_gemm(const GemmArgs& args, AmdBuffers<S>& buffers, u32 element_bytes) {
  constexpr u32 kBand = 1024 / S::kTileM;
  const u32 stride = args.k * element_bytes, stages = stride / S::kRowBytes;
  const u32 down = (args.m + S::kTileM - 1) / S::kTileM, across = (args.n + S::kTileN - 1) / S::kTileN;
  const AmdTile tile = amd_tile<kBand>(place_in_chiplets(block_index(), down * across), down, across);
  const u32 wave = uniform(thread_index() / S::Op::kWave), lane = thread_index() % S::Op::kWave;
  const AmdPart part = amd_part<S>(wave);
  AmdCopy<S> copy = amd_copy<S>(args, tile, stride);
  AmdSums<S> sums = {};
  AmdOperands<S> operands[2];
#pragma unroll
  for (u32 i = 0; i < S::kCopies; ++i) amd_load(copy, i);
  amd_advance(copy, stages > 1);
  amd_pass_on(copy, buffers.at[0], 0, S::kCopies);
  amd_advance(copy, stages > 2);
  local_barrier(S::kThreads);
  amd_read(operands[0], buffers.at[0], 0, part.row, part.column, lane);
  // Else LLVM makes one load of this one and the one in the loop, at the loop's head, where nothing hides it.
  amd_keep(operands[0]);
  u32 buffer = 0;
  for (u32 stage = 0; stage < stages; ++stage) {
    amd_stage(sums, operands, copy, buffers.at[buffer], buffers.at[buffer ^ 1], part, lane, stage + 3 < stages);
    buffer ^= 1;
  }
  local_barrier(S::kThreads);
  amd_write<S>(args, sums, &buffers.at[0][0] + wave * AmdStrip<typename S::Op, typename S::Out>::kChunks, tile.row * S::kTileM + part.row, tile.column * S::kTileN + part.column, lane);
}

}  // namespace gpumark::device
#endif
