// Matrix product on AMD's matrix instructions, C = A x B^T, row-major: tiles of A and B in local memory in two buffers,
// the next ones on their way in registers, a block of C in each wave's registers. `Op`: mfma-ops.h, wmma-ops.h. A stage
// is row_bytes of each row of the tiles. While stage s is multiplied, s + 1 is written to the other buffer and s + 2 is
// loaded. Op::kAhead: operands of the next step are read from local memory while those of this one are multiplied, also
// across the one barrier of a stage. A tile's rows in bytes (256 * k * 8), and its columns of C, stay below 2^32.
#pragma once
#include "amd-tiles.h"
#if GPUMARK_SIMULATED
#include "local-banks.h"
#endif

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

/** Operands of one step: what this lane gives to the instructions. */
template <class S>
struct AmdOperands {
  Chunk a[S::kDown][S::Op::kChunks], b[S::kAcross][S::Op::kChunks];
};

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
    const Chunk* from =
        buffer + line * S::kRowChunks + swizzled<S::kRowChunks>(line, step * Op::kStepChunks + Op::chunk(lane, c));
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
 * Asks the compiler for an even mix between here and the last border: matrix instructions, and between them the reads,
 * and the writes and loads of copies. A matrix instruction takes 32 or 64 cycles, so that everything else is issued in
 * its shadow.
 */
template <u32 reads, u32 copies, u32 multiplies>
GPUMARK_DEVICE void amd_mix() {
#if GPUMARK_AMD
  constexpr int kMatrix = 0x8, kLoad = 0x20, kRead = 0x100, kWrite = 0x200;
  constexpr u32 kAccesses = reads + 2 * copies,
                kEach = kAccesses <= multiplies ? 1 : (kAccesses + multiplies - 1) / multiplies;
#pragma unroll
  for (u32 i = 0; i < kAccesses; ++i) {
    if (i % kEach == 0) __builtin_amdgcn_sched_group_barrier(kMatrix, 1, 0);
    if (i < reads) {
      __builtin_amdgcn_sched_group_barrier(kRead, 1, 0);
    } else if ((i - reads) % 2 == 0) {
      __builtin_amdgcn_sched_group_barrier(kWrite, 1, 0);
    } else {
      __builtin_amdgcn_sched_group_barrier(kLoad, 1, 0);
    }
  }
  constexpr u32 kUsed = (kAccesses + kEach - 1) / kEach;
  if (kUsed < multiplies) __builtin_amdgcn_sched_group_barrier(kMatrix, multiplies - kUsed, 0);
#endif
}

/** What the compiler does not move anything across. */
GPUMARK_DEVICE void amd_border() {
#if GPUMARK_AMD
  __builtin_amdgcn_sched_barrier(0);
#endif
}

/**
 * One stage where several waves per SIMD wait for each other's reads: operands are read when they are needed, and take
 * half the registers.
 */
template <class S>
GPUMARK_DEVICE void amd_plain_stage(AmdSums<S>& sums, AmdCopy<S>& copy, Chunk* now, Chunk* next, AmdPart part, u32 lane,
                                    bool more) {
#pragma unroll
  for (u32 step = 0; step < S::kSteps; ++step) {
    AmdOperands<S> operands;
    amd_read(operands, now, step, part.row, part.column, lane);
    if (step == 0) amd_pass_on(copy, next, 0, S::kCopies);
    amd_multiply(sums, operands, 0, S::kDown);
  }
  amd_advance(copy, more);
  local_barrier(S::kThreads);
}

/** One stage: see the head of this file. On entry operands[0] holds step 0 of `now`; on return, of `next`. */
template <class S>
GPUMARK_DEVICE void amd_stage(AmdSums<S>& sums, AmdOperands<S> (&operands)[2], AmdCopy<S>& copy, Chunk* now,
                              Chunk* next, AmdPart part, u32 lane, bool more) {
  constexpr u32 kReads = (S::kDown + S::kAcross) * S::Op::kChunks,
                kMultiplies = S::kDown * S::kAcross * S::Op::kInstructions;
  constexpr u32 kLast = (S::kSteps - 1) % 2, kParts = S::kSteps == 1 ? 1 : S::kSteps - 1,
                kPart = (S::kCopies + kParts - 1) / kParts;
  // With one step, half of it stands before the barrier, so that writing to local memory has time.
  constexpr u32 kBefore = S::kSteps == 1 ? S::kDown / 2 : 0;
#pragma unroll
  for (u32 step = 0; step < kParts; ++step) {
    const u32 first = step * kPart, last = first + kPart < S::kCopies ? first + kPart : S::kCopies;
    if (S::kSteps > 1) amd_read(operands[(step + 1) % 2], now, step + 1, part.row, part.column, lane);
    amd_pass_on(copy, next, first, last);
    amd_multiply(sums, operands[step % 2], 0, S::kSteps > 1 ? S::kDown : kBefore);
    amd_mix<S::kSteps == 1 ? 0 : kReads, kPart, S::kSteps == 1 ? kMultiplies * kBefore / S::kDown : kMultiplies>();
    amd_border();
  }
  amd_advance(copy, more);
  local_barrier(S::kThreads);
  amd_border();
  amd_read(operands[kLast ^ 1], next, 0, part.row, part.column, lane);
  amd_multiply(sums, operands[kLast], kBefore, S::kDown);
  amd_mix<kReads, 0, kMultiplies - kMultiplies * kBefore / S::kDown>();
  amd_border();
  if (kLast == 0) operands[0] = operands[1];
}

/**
 * One stage of one step, with three buffers: `next` has been there since the last barrier, so that reading from it has
 * as long as all of this stage's multiplications take, and the one after it is written meanwhile.
 */
template <class S>
GPUMARK_DEVICE void amd_wide_stage(AmdSums<S>& sums, const AmdOperands<S>& now, AmdOperands<S>& coming,
                                   AmdCopy<S>& copy, AmdBuffers<S>& buffers, u32& next, AmdPart part, u32 lane,
                                   bool more) {
  static_assert(S::kSteps == 1 && S::kBuffers == 3, "one step, three buffers");
  const u32 after = next == 2 ? 0 : next + 1;
  amd_read(coming, buffers.at[next], 0, part.row, part.column, lane);
  amd_pass_on(copy, buffers.at[after], 0, S::kCopies);
  amd_multiply(sums, now, 0, S::kDown);
  amd_mix<(S::kDown + S::kAcross) * S::Op::kChunks, S::kCopies, S::kDown * S::kAcross * S::Op::kInstructions>();
  amd_border();
  amd_advance(copy, more);
  local_barrier(S::kThreads);
  next = after;
}

/**
 * Stages whose operands are read ahead; two at a time where one step is all of a stage, so that no operand is moved
 * between registers.
 */
template <class S>
GPUMARK_DEVICE void amd_ahead_stages(AmdSums<S>& sums, AmdCopy<S>& copy, AmdBuffers<S>& buffers, AmdPart part, u32 lane,
                                     u32 stages) {
  AmdOperands<S> operands[2];
  amd_read(operands[0], buffers.at[0], 0, part.row, part.column, lane);
  // Else LLVM makes one load of this one and the one in the loop, at the loop's head, where nothing hides it.
  amd_keep(operands[0]);
  if constexpr (S::kBuffers == 3) {
    u32 next = 1, stage = 0;
    for (; stage + 1 < stages; stage += 2) {
      amd_wide_stage(sums, operands[0], operands[1], copy, buffers, next, part, lane, stage + 4 < stages);
      amd_wide_stage(sums, operands[1], operands[0], copy, buffers, next, part, lane, stage + 5 < stages);
    }
    if (stage < stages) amd_wide_stage(sums, operands[0], operands[1], copy, buffers, next, part, lane, false);
  } else {
    for (u32 stage = 0; stage < stages; ++stage)
      amd_stage(sums, operands, copy, buffers.at[stage % 2], buffers.at[stage % 2 ^ 1], part, lane, stage + 3 < stages);
  }
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
#pragma unroll
  for (u32 i = 0; i < S::kCopies; ++i) amd_load(copy, i);
  amd_advance(copy, stages > 1);
#pragma unroll
  for (u32 i = 0; i + 1 < S::kBuffers; ++i) {
    amd_pass_on(copy, buffers.at[i], 0, S::kCopies);
    amd_advance(copy, stages > i + 2);
  }
  local_barrier(S::kThreads);
  if constexpr (S::Op::kAhead) {
    amd_ahead_stages(sums, copy, buffers, part, lane, stages);
  } else {
    for (u32 stage = 0; stage < stages; ++stage)
      amd_plain_stage(sums, copy, buffers.at[stage % 2], buffers.at[stage % 2 ^ 1], part, lane, stage + 3 < stages);
  }
  // The tiles' memory is free: reads that count were done before the last stage's barrier.
  Chunk* strip = &buffers.at[0][0] + wave * AmdStrip<typename S::Op, typename S::Out>::kChunks;
  amd_write<S>(args, sums, strip, tile.row * S::kTileM + part.row, tile.column * S::kTileN + part.column, lane);
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_AMD_KERNEL(name, attributes, threads) extern "C" void name(const gpumark::device::GemmArgs args)
#else
#define GPUMARK_AMD_KERNEL(name, attributes, threads)                                                               \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads))) attributes void \
  name(const gpumark::device::GemmArgs args)
#endif

/** The rest of the arguments is a shape. */
#define GPUMARK_AMD_PRODUCT(name, attributes, element_bytes, ...)                  \
  GPUMARK_AMD_KERNEL(name, attributes, (gpumark::device::__VA_ARGS__::kThreads)) { \
    using Shape = gpumark::device::__VA_ARGS__;                                    \
    GPUMARK_SHARED(gpumark::device::AmdBuffers<Shape>, buffers);                   \
    gpumark::device::amd_gemm<Shape>(args, buffers, element_bytes);                \
  }
#endif
