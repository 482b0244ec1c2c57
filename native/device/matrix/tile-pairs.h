// The work of two blocks that share the columns of a pair of tiles, and copies of B: which pair comes next, where its
// tiles lie in shared memory, and the thread that copies them. Blocks stay on the device and take pair after pair.
#pragma once
#include "../number-formats.h"
#include "bulk-copy-ops.h"
#include "matrix-input.h"

namespace gpumark::device {

constexpr u32 kPairTileM = 128;
constexpr u32 kPairTileN = 256;
/** Of k in a row of a tile: the width of the swizzle. */
constexpr u32 kPairTileBytes = 128;
constexpr u32 kPairStages = 4;
constexpr u32 kPairBlocks = 2;
constexpr u32 kPairBytesOfA = kPairTileM * kPairTileBytes;
constexpr u32 kPairStageBytes = (kPairTileM + kPairTileN) * kPairTileBytes;
/** Each block copies its part of B for both. */
constexpr u32 kPairShareRows = kPairTileN / kPairBlocks;
/** Of every map: the rows of A of one block, the rows of B that one block copies. */
constexpr u32 kPairBoxRows = 128;
static_assert(kPairBoxRows == kPairTileM && kPairBoxRows == kPairShareRows);

/** Inputs and output of a product. */
template <MatrixInput given, NumberFormat written>
struct PairProduct {
  static constexpr MatrixInput input = given;
  static constexpr NumberFormat output = written;
  /** Elements of k in a tile. */
  static constexpr u32 kDepth = kPairTileBytes / kStepBytes * matrix_depth(given);
};

/** One stage after the other, round and round; the parity of the round that a barrier's phase belongs to. */
struct PairStage {
  u32 number = 0, parity = 0;
  GPUMARK_MEMBER void next() {
    if (++number == kPairStages) {
      number = 0;
      parity ^= 1;
    }
  }
};

/** Where things are in shared memory. The barriers come behind the stages. */
struct PairMemory {
  u32 base;
  GPUMARK_MEMBER u32 a(u32 stage) const { return base + stage * kPairStageBytes; }
  GPUMARK_MEMBER u32 b(u32 stage) const { return a(stage) + kPairBytesOfA; }
  /** Its phase ends when the stage's tiles are there. */
  GPUMARK_MEMBER u32 full(u32 stage) const { return base + kPairStages * kPairStageBytes + stage * 8; }
  /** Its phase ends when nobody in the cluster reads the stage any more. */
  GPUMARK_MEMBER u32 empty(u32 stage) const { return full(stage) + kPairStages * 8; }
};

/** The part of the work that a cluster does: every clusters-th pair of tiles, pairs counted down bands of rows. */
struct PairWork {
  u32 pairs_down, tiles_across, cluster, clusters;
  GPUMARK_MEMBER u32 pairs() const { return pairs_down * tiles_across; }
};
GPUMARK_DEVICE PairWork pair_work(const TensorMapGemmArgs& args) {
  constexpr u32 rows = kPairTileM * kPairBlocks;
  return {(args.m + rows - 1) / rows, (args.n + kPairTileN - 1) / kPairTileN, block_index() / kPairBlocks,
          args.blocks / kPairBlocks};
}

/** First row of the pair and first column. */
struct PairPlace {
  u32 row, column;
};
/**
 * Pairs that are worked on at a time form a near-square of C, 8 pairs high, whose tiles of A and B the second-level
 * cache holds; every second band runs backwards, from the columns of B that are still there.
 */
GPUMARK_DEVICE PairPlace pair_place(const PairWork& work, u32 pair) {
  constexpr u32 kBand = 8;
  const u32 band = pair / (kBand * work.tiles_across), above = band * kBand, within = pair - above * work.tiles_across;
  const u32 down = work.pairs_down - above < kBand ? work.pairs_down - above : kBand;
  const u32 across = within / down;
  return {(above + within % down) * kPairTileM * kPairBlocks,
          (band & 1 ? work.tiles_across - 1 - across : across) * kPairTileN};
}

/** One thread: keeps the stages of its block full of A, and its part of both blocks' of B. */
template <u32 depth>
GPUMARK_DEVICE void copy_pairs(const TensorMapGemmArgs& args, PairMemory memory, u32 rank) {
  const PairWork work = pair_work(args);
  PairStage stage;
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    const PairPlace place = pair_place(work, pair);
    for (u32 k = 0; k < args.k; k += depth) {
      // The other block's stage is written too: this barrier counts the readers of both.
      if (!barrier_wait(memory.empty(stage.number), stage.parity ^ 1)) return;
      const u32 full = memory.full(stage.number);
      barrier_arrive_awaiting(full, kPairStageBytes);
      load_box(memory.a(stage.number), args.a, k, place.row + rank * kPairTileM, full);
      load_box_to((1u << kPairBlocks) - 1, memory.b(stage.number) + rank * kPairShareRows * kPairTileBytes, args.b, k,
                  place.column + rank * kPairShareRows, full);
      stage.next();
    }
  }
}

}  // namespace gpumark::device
