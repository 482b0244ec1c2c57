// Results of the matrix instructions to C, through local memory: 128 bytes of a row at a time, so that whole cache
// lines are written whatever an instruction's results look like.
#pragma once
#include "amd-wave.h"
#include "gemm-kernels.h"

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

/**
 * As much of C as a wave writes at once: kEdge rows of 128 bytes, each a chunk longer so that a column lies in several
 * banks.
 */
template <class Op, class Out>
struct AmdStrip {
  static constexpr u32 kRowChunks = 9, kChunks = Op::kEdge * kRowChunks;
  static constexpr u32 kWordsPerChunk = 16 / sizeof(typename Out::Word), kColumns = 8 * kWordsPerChunk;
  static constexpr u32 kBlocks = kColumns / Op::kEdge;
  static_assert(kBlocks * Op::kEdge == kColumns, "whole results");
};

/** Consecutive results of a lane that are neighbours in a row of C. */
template <class Word, u32 count>
struct __attribute__((may_alias, aligned(sizeof(Word) * count))) AmdRun {
  Word at[count];
};

template <class S, class Sum>
GPUMARK_DEVICE void amd_put(const Sum& sum, Chunk* strip, u32 block, u32 lane) {
  using Op = typename S::Op;
  using Word = typename S::Out::Word;
  using Strip = AmdStrip<Op, typename S::Out>;
  Word* row = reinterpret_cast<Word*>(strip + lane % Op::kEdge * Strip::kRowChunks);
  constexpr u32 kRun = Op::kRun < Strip::kWordsPerChunk ? Op::kRun : Strip::kWordsPerChunk;
#pragma unroll
  for (u32 i = 0; i < Op::kSums; i += kRun) {
    AmdRun<Word, kRun> run;
#pragma unroll
    for (u32 j = 0; j < kRun; ++j) run.at[j] = S::Out::of(sum[i + j]);
    *reinterpret_cast<AmdRun<Word, kRun>*>(row + block * Op::kEdge + Op::result_row(lane, i)) = run;
  }
}

/** `row`, `column`: where the strip lies in C. n is a multiple of 8, hence a chunk is within a row or beyond it. */
template <class S>
GPUMARK_DEVICE void amd_copy_out(const GemmArgs& args, const Chunk* strip, u32 row, u32 column, u32 lane) {
  using Op = typename S::Op;
  using Strip = AmdStrip<Op, typename S::Out>;
  auto* c = static_cast<typename S::Out::Word*>(args.c) + static_cast<u64>(row) * args.n + column;
  constexpr u32 kEach = Op::kEdge * 8 / Op::kWave, kRowsAtOnce = Op::kWave / 8;
  const u32 across = lane % 8 * Strip::kWordsPerChunk;
  Chunk out[kEach];
#pragma unroll
  for (u32 i = 0; i < kEach; ++i) out[i] = strip[(i * kRowsAtOnce + lane / 8) * Strip::kRowChunks + lane % 8];
#pragma unroll
  for (u32 i = 0; i < kEach; ++i) {
    const u32 down = i * kRowsAtOnce + lane / 8;
    if (row + down < args.m && column + across < args.n)
      *reinterpret_cast<Chunk*>(c + (down * args.n + across)) = out[i];
  }
}

/** Writes the wave's results, whose first is element (row, column) of C; `strip` is the wave's own. */
template <class S, class Sums>
GPUMARK_DEVICE void amd_write(const GemmArgs& args, const Sums& sums, Chunk* strip, u32 row, u32 column, u32 lane) {
  using Strip = AmdStrip<typename S::Op, typename S::Out>;
  static_assert(S::kAcross % Strip::kBlocks == 0, "whole strips");
#pragma unroll
  for (u32 i = 0; i < S::kDown; ++i) {
#pragma unroll
    for (u32 j = 0; j < S::kAcross; j += Strip::kBlocks) {
#pragma unroll
      for (u32 block = 0; block < Strip::kBlocks; ++block) amd_put<S>(sums.at[i][j + block], strip, block, lane);
      wave_barrier<S::Op::kWave>();
      amd_copy_out<S>(args, strip, row + i * S::Op::kEdge, column + j * S::Op::kEdge, lane);
      wave_barrier<S::Op::kWave>();
    }
  }
}

}  // namespace gpumark::device
#endif
