// What a warp does with a stage: fragments of A and B into registers, twice, so that the next ones come while these are
// multiplied.
#pragma once
#include "mma-sync-shape.h"

namespace gpumark::device::mma_sync {

/** 64 x 64 sums of a warp in fp32. */
template <class S>
struct WarpProduct {
  using Numbers = typename S::Numbers;
  /** One step: 32 bytes along k. */
  static constexpr u32 kSteps = S::kRowBytes / 32;
  static_assert(kSteps % 2 == 0);
  static constexpr u32 kDown = kWarpRows / 16, kAcross = kWarpColumns / 8;
  float sum[kDown][kAcross][4];
  u32 a[2][kDown][4], b[2][kAcross / 2][4];
  /**
   * Within a stage: this lane's rows of A and of B at the first step; the others are at other chunks of the same row.
   */
  u32 of_a, of_b;

  GPUMARK_MEMBER WarpProduct() {
    const u32 warp = thread_index() / 32, lane = thread_index() % 32;
    const u32 row = warp / S::kWarpsAcross * kWarpRows, column = warp % S::kWarpsAcross * kWarpColumns;
    // Matrices of A: upper rows, lower rows, then both 16 bytes further along k. Of B: 8 columns, the same further
    // along k, the next 8.
    of_a = chunk_at<S>(row + lane % 16, lane / 16);
    of_b = chunk_at<S>(S::kTileM + column + lane / 16 * 8 + lane % 8, lane / 8 % 2);
#pragma unroll
    for (u32 i = 0; i < kDown * kAcross * 4; ++i) sum[i / (kAcross * 4)][i / 4 % kAcross][i % 4] = 0;
  }

  /**
   * Fragments of step `step` of the stage at `stage` into registers `into`. Chunks are in bits 4 to 6, which no row's
   * beginning has.
   */
  GPUMARK_MEMBER void load(u32 into, u32 stage, u32 step) {
    const u32 from_a = (stage + of_a) ^ (32 * step), from_b = (stage + of_b) ^ (32 * step);
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) load_matrices(a[into][i], from_a + i * 16 * S::kRowBytes);
#pragma unroll
    for (u32 i = 0; i < kAcross / 2; ++i) load_matrices(b[into][i], from_b + i * 16 * S::kRowBytes);
  }

  /** Called after the products of the step before, among which the compiler may put it. */
  GPUMARK_MEMBER void prepare(u32 which) {
#pragma unroll
    for (u32 i = 0; i < kDown * 4; ++i) a[which][i / 4][i % 4] = Numbers::prepare(a[which][i / 4][i % 4]);
#pragma unroll
    for (u32 i = 0; i < kAcross * 2; ++i) b[which][i / 4][i % 4] = Numbers::prepare(b[which][i / 4][i % 4]);
  }

  GPUMARK_MEMBER void multiply(u32 which) {
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) {
#pragma unroll
      for (u32 j = 0; j < kAcross; ++j) {
        // There and back: the next product takes one of its operands from the one before.
        const u32 column = i % 2 ? kAcross - 1 - j : j;
        Numbers::multiply(sum[i][column], a[which][i], b[which][column / 2] + column % 2 * 2);
      }
    }
  }
};

}  // namespace gpumark::device::mma_sync
