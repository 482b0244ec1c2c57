// Tiles of the mma.sync kernels, and where their bytes stand in shared memory.
#pragma once
#include "mma-sync-multiply.h"

namespace gpumark::device::mma_sync {

/**
 * Rows and columns of C that a warp makes: 64 x 64 sums are 128 registers of each lane. fp64: half as many columns, of
 * twice the size.
 */
constexpr u32 kWarpRows = 64;
constexpr u32 kWarpColumns = 64;
constexpr u32 kChunkBytes = 16;

/**
 * A block of warps_down x warps_across warps. Its tiles of A and B have rows of row_bytes along k, 64 or 128; `stages`
 * pairs of them are on their way or in use.
 */
template <class Input, u32 warps_down, u32 warps_across, u32 row_bytes, u32 stages, u32 warp_columns = kWarpColumns>
struct Shape {
  using Numbers = Input;
  static constexpr u32 kTileM = kWarpRows * warps_down, kTileN = warp_columns * warps_across;
  static constexpr u32 kWarpsAcross = warps_across, kThreads = 32 * warps_down * warps_across;
  static constexpr u32 kRowBytes = row_bytes, kStages = stages, kChunks = row_bytes / kChunkBytes;
  static constexpr u32 kTileK = row_bytes / Input::kInputBytes;
  static constexpr u32 kStageBytes = (kTileM + kTileN) * row_bytes, kSharedBytes = stages * kStageBytes;
  /** k is a multiple of 64, so tiles along k are whole. */
  static_assert(64 % kTileK == 0 && (row_bytes == 64 || row_bytes == 128));
};

/**
 * The 16 bytes `chunk` of row `row` of a tile are not at row * row_bytes + 16 * chunk but at another chunk of the same
 * row, so that no access meets a bank of shared memory twice; a phase of an access is 8 lanes of 16 bytes and must hit
 * all 8 groups of 4 banks, which repeat every 128 bytes. 128-byte rows: chunk ^ row % 8. ldmatrix reads one chunk of 8
 * rows that follow each other: c ^ 0 .. c ^ 7 are all different. 64-byte rows: chunk ^ row / 2 % 4. Rows 2 j and 2 j +
 * 1 share 128 bytes: the 8 rows hit (c ^ j) and 4 + (c ^ j), j = 0 .. 3: all different. fp64, 128-byte rows, 16 bytes
 * per lane: chunk ^ 4 (row % 2). 8 lanes read chunks c .. c + 3 (c is 0 or 4) of rows 2 j and 2 j + 1: one half each.
 *   fp64, 128-byte rows, 8 bytes per lane: chunk ^ 2 (row % 4). 16 lanes read chunks c and c + 1 (c is even) of 4 rows:
 * another pair in each. Copies write all chunks of a row, or of two, in each phase: any order of them is as good.
 */
template <class S>
GPUMARK_DEVICE u32 chunk_at(u32 row, u32 chunk) {
  u32 turn;
  if constexpr (S::Numbers::kInputBytes == 8)
    turn = S::Numbers::turn(row);
  else
    turn = S::kRowBytes == 128 ? row % 8 : row / 2 % 4;
  return row * S::kRowBytes + (chunk ^ turn) * kChunkBytes;
}

/**
 * Tile of C of a block. Blocks that run together share rows of A and of B in the second-level cache: bands of 16 rows
 * of tiles.
 */
struct Tile {
  u32 row, column;
};
template <class S>
GPUMARK_DEVICE Tile tile_of(u32 block, const GemmArgs& args) {
  constexpr u32 kBand = 16;
  const u32 down = (args.m + S::kTileM - 1) / S::kTileM, across = (args.n + S::kTileN - 1) / S::kTileN;
  const u32 band = block / (kBand * across), first = band * kBand;
  const u32 rows = down - first < kBand ? down - first : kBand;
  const u32 within = block - first * across;
  return {(first + within % rows) * S::kTileM, within / rows * S::kTileN};
}

}  // namespace gpumark::device::mma_sync
