// 64 x 32 sums of a warp in fp64.
#pragma once
#include "mma-sync-shape.h"

namespace gpumark::device::mma_sync {

constexpr u32 kDoubleColumns = 32;
#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
/**
 * A lane reads 16 bytes of a row of A at once, the numbers of both halves of the depth, where the instruction takes
 * them from any registers; where it takes four that follow each other, upper and lower row in turn, 8 bytes each, so
 * that none has to be moved.
 */
struct DoubleParts {
  static constexpr u32 kInputBytes = 8, kOutputBytes = 8;
  static constexpr bool kPairs = true;
  GPUMARK_MEMBER static u32 turn(u32 row) { return row % 2 * 4; }
  GPUMARK_MEMBER static void multiply(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
    multiply_fp64_parts(sum, a, b);
  }
};
#if GPUMARK_SIMULATED || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1030)
struct DoubleWhole : DoubleParts {
  static constexpr bool kPairs = false;
  GPUMARK_MEMBER static u32 turn(u32 row) { return row % 4 * 2; }
  GPUMARK_MEMBER static void multiply(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
    multiply_fp64_whole(sum, a, b);
  }
};
#endif

template <class S>
struct DoubleProduct {
  /**
   * One step: 64 bytes along k, of which a lane takes two numbers of each row, one for either half of the instruction's
   * depth.
   */
  static constexpr u32 kSteps = S::kRowBytes / 64;
  static constexpr u32 kDown = kWarpRows / 16, kAcross = kDoubleColumns / 8;
  double sum[kDown][kAcross][4];
  double a[2][kDown][4], b[2][kAcross][2];
  u32 of_a, of_b;

  GPUMARK_MEMBER DoubleProduct() {
    const u32 warp = thread_index() / 32, lane = thread_index() % 32;
    const u32 row = warp / S::kWarpsAcross * kWarpRows + lane / 4,
              column = warp % S::kWarpsAcross * kDoubleColumns + lane / 4;
    of_a = S::Numbers::kPairs ? chunk_at<S>(row, lane % 4) : chunk_at<S>(row, lane % 4 / 2) + lane % 2 * 8;
    of_b = S::Numbers::kPairs ? chunk_at<S>(S::kTileM + column, lane % 4)
                              : chunk_at<S>(S::kTileM + column, lane % 4 / 2) + lane % 2 * 8;
#pragma unroll
    for (u32 i = 0; i < kDown * kAcross * 4; ++i) sum[i / (kAcross * 4)][i / 4 % kAcross][i % 4] = 0;
  }

  GPUMARK_MEMBER void load(u32 into, u32 stage, u32 step) {
    const u32 from_a = (stage + of_a) ^ (64 * step), from_b = (stage + of_b) ^ (64 * step);
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) {
      load_row(a[into][i][0], a[into][i][2], from_a + 2 * i * 8 * S::kRowBytes);
      load_row(a[into][i][1], a[into][i][3], from_a + (2 * i + 1) * 8 * S::kRowBytes);
    }
#pragma unroll
    for (u32 i = 0; i < kAcross; ++i) load_row(b[into][i][0], b[into][i][1], from_b + i * 8 * S::kRowBytes);
  }
  GPUMARK_MEMBER static void load_row(double& first, double& second, u32 address) {
    if constexpr (S::Numbers::kPairs) {
      load_pair(first, second, address);
    } else {
      load_one(first, address);
      load_one(second, address ^ 32);
    }
  }

  GPUMARK_MEMBER void prepare(u32) {}
  GPUMARK_MEMBER void multiply(u32 which) {
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) {
#pragma unroll
      for (u32 j = 0; j < kAcross; ++j) S::Numbers::multiply(sum[i][j], a[which][i], b[which][j]);
    }
  }
};

/** Four lanes' pairs of a row are 64 bytes in a row of C: written as they are. */
template <class S>
GPUMARK_DEVICE void write_product(const DoubleProduct<S>& product, const GemmArgs& args, Tile tile) {
  const u32 warp = thread_index() / 32, lane = thread_index() % 32;
  const u32 row = tile.row + warp / S::kWarpsAcross * kWarpRows + lane / 4;
  const u32 column = tile.column + warp % S::kWarpsAcross * kDoubleColumns + 2 * (lane % 4);
#pragma unroll
  for (u32 i = 0; i < 2 * DoubleProduct<S>::kDown; ++i) {
    if (row + 8 * i >= args.m) continue;
    double* to = static_cast<double*>(args.c) + static_cast<u64>(row + 8 * i) * args.n + column;
#pragma unroll
    for (u32 j = 0; j < DoubleProduct<S>::kAcross; ++j) {
      const double* sum = product.sum[i / 2][j] + 2 * (i % 2);
      if (column + 8 * j < args.n) *reinterpret_cast<DoublePair*>(to + 8 * j) = pair_of<DoublePair>(sum[0], sum[1]);
    }
  }
}

#endif

}  // namespace gpumark::device::mma_sync
