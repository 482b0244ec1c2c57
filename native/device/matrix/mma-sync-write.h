// The sums of a warp into C: through shared memory, where the lanes' pairs become whole rows that are written 16 bytes
// at a time.
#pragma once
#include "mma-sync-warp.h"

namespace gpumark::device::mma_sync {

/** A warp's own part of shared memory: 16 rows of its 64 columns. */
template <class S>
struct Staging {
  static constexpr u32 kBytes = S::Numbers::kOutputBytes;
  /**
   * Rows are 16 bytes longer (fp32: 32). Lane l writes at row l / 4 and at pair l % 4: with 16-bit numbers 32 lanes at
   * banks 36 (l / 4) + l % 4, with fp32 16 at a time at banks 72 (l / 4) + 2 (l % 4): every bank once. Reads are whole
   * rows.
   */
  static constexpr u32 kRowBytes = kWarpColumns * kBytes + 8 * kBytes;
  static constexpr u32 kWarpBytes = 16 * kRowBytes;
  static constexpr u32 kVectors = kWarpColumns * kBytes / kVectorBytes;
  static_assert(kWarpBytes * (S::kThreads / 32) <= S::kSharedBytes);
};

template <class S>
GPUMARK_DEVICE void store_pair(unsigned char* row, u32 pair, float x, float y) {
  if constexpr (S::Numbers::kOutputBytes == 2) {
    reinterpret_cast<u32*>(row)[pair] = S::Numbers::pair(x, y);
  } else {
    struct alignas(8) Pair {
      float x, y;
    };
    reinterpret_cast<Pair*>(row)[pair] = {x, y};
  }
}

/** 16 rows from shared memory to C, as far as they are within it; n is a multiple of 8, so vectors are whole. */
template <class S>
GPUMARK_DEVICE void write_rows(const GemmArgs& args, const unsigned char* staging, u32 row, u32 column) {
  using St = Staging<S>;
  const u32 lane = thread_index() % 32;
#pragma unroll
  for (u32 i = 0; i < 16 * St::kVectors / 32; ++i) {
    const u32 index = lane + 32 * i, down = index / St::kVectors, vector = index % St::kVectors;
    const u32 to_row = row + down, to_column = column + vector * (kVectorBytes / St::kBytes);
    if (to_row >= args.m || to_column >= args.n) continue;
    unsigned char* to =
        static_cast<unsigned char*>(args.c) + (static_cast<u64>(to_row) * args.n + to_column) * St::kBytes;
    *reinterpret_cast<WordPair*>(to) =
        *reinterpret_cast<const WordPair*>(staging + down * St::kRowBytes + vector * kVectorBytes);
  }
}

/** All threads of the block are through with the stages. */
template <class S>
GPUMARK_DEVICE void write_product(const WarpProduct<S>& product, const GemmArgs& args, Tile tile) {
  using St = Staging<S>;
  const u32 warp = thread_index() / 32, lane = thread_index() % 32;
  unsigned char* const staging = static_cast<unsigned char*>(dynamic_shared()) + warp * St::kWarpBytes;
  const u32 row = tile.row + warp / S::kWarpsAcross * kWarpRows,
            column = tile.column + warp % S::kWarpsAcross * kWarpColumns;
#pragma unroll
  for (u32 i = 0; i < WarpProduct<S>::kDown; ++i) {
    warp_barrier();
#pragma unroll
    for (u32 j = 0; j < WarpProduct<S>::kAcross; ++j) {
      const float(&sum)[4] = product.sum[i][j];
      store_pair<S>(staging + lane / 4 * St::kRowBytes, 4 * j + lane % 4, sum[0], sum[1]);
      store_pair<S>(staging + (lane / 4 + 8) * St::kRowBytes, 4 * j + lane % 4, sum[2], sum[3]);
    }
    warp_barrier();
    write_rows<S>(args, staging, row + 16 * i, column);
  }
}

}  // namespace gpumark::device::mma_sync
