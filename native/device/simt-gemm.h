// Matrix product on the ordinary lanes, C = A x B^T, row-major: tiles of A and B through shared memory in two buffers,
// a block of C in each thread's registers. Every element of C is one chain of multiply-adds in the order of k.
#pragma once
#include "block.h"

namespace gpumark::device {

/**
 * Sizes for `Number`: a block of 256 threads makes a tile of kTile x kTile, each thread kPerThread x kPerThread of it.
 */
template <class Number>
struct SimtShape {
  static constexpr u32 kPerThread = sizeof(Number) == 4 ? 8 : 4;
  static constexpr u32 kTile = 16 * kPerThread;
  /** Numbers of one 16-byte vector. */
  static constexpr u32 kWide = kVectorBytes / sizeof(Number);
  static constexpr u32 kDepth = kSimtDepth;
  static constexpr u32 kVectorsPerThread = kTile * kDepth / kWide / kBlockThreads;
  /** Rows of the transposed tiles are a vector longer, so that storing a column hits other banks. */
  static constexpr u32 kStride = kTile + kWide;
};

template <class Number>
struct alignas(16) SimtVector {
  Number at[SimtShape<Number>::kWide];
};

/** Tile of C of this block: neighbouring blocks share rows of A and rows of B in the second-level cache. */
struct GemmTile {
  u32 row, column;
};
GPUMARK_DEVICE GemmTile gemm_tile(u32 block, u32 tiles_down, u32 tiles_across) {
  constexpr u32 kBand = 8;
  const u32 band = block / (kBand * tiles_across);
  const u32 rows = tiles_down - band * kBand < kBand ? tiles_down - band * kBand : kBand;
  const u32 within = block - band * kBand * tiles_across;
  return {band * kBand + within % rows, within / rows};
}

/** What one thread carries from step to step. */
template <class Number>
struct SimtThread {
  Number sum[SimtShape<Number>::kPerThread][SimtShape<Number>::kPerThread];
  SimtVector<Number> a[SimtShape<Number>::kVectorsPerThread], b[SimtShape<Number>::kVectorsPerThread];
};

/** Rows beyond the last are read as the last: what comes of them is not written. */
GPUMARK_DEVICE u32 row_within(u32 row, u32 rows) { return row < rows ? row : rows - 1; }

template <class Number>
GPUMARK_DEVICE void simt_fetch(SimtThread<Number>& own, const GemmArgs& args, GemmTile tile, u32 thread, u32 k) {
  using S = SimtShape<Number>;
  using Vector = SimtVector<Number>;
  const Number* a = static_cast<const Number*>(args.a);
  const Number* b = static_cast<const Number*>(args.b);
#pragma unroll
  for (u32 i = 0; i < S::kVectorsPerThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    const u32 row = index / (S::kDepth / S::kWide), column = k + index % (S::kDepth / S::kWide) * S::kWide;
    own.a[i] = *reinterpret_cast<const Vector*>(a + row_within(tile.row * S::kTile + row, args.m) * args.k + column);
    own.b[i] = *reinterpret_cast<const Vector*>(b + row_within(tile.column * S::kTile + row, args.n) * args.k + column);
  }
}

template <class Number>
struct SimtBuffers {
  alignas(16) Number a[2][SimtShape<Number>::kDepth][SimtShape<Number>::kStride];
  alignas(16) Number b[2][SimtShape<Number>::kDepth][SimtShape<Number>::kStride];
};

template <class Number>
GPUMARK_DEVICE void simt_store(const SimtThread<Number>& own, SimtBuffers<Number>& shared, u32 buffer, u32 thread) {
  using S = SimtShape<Number>;
#pragma unroll
  for (u32 i = 0; i < S::kVectorsPerThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    const u32 row = index / (S::kDepth / S::kWide), k = index % (S::kDepth / S::kWide) * S::kWide;
#pragma unroll
    for (u32 j = 0; j < S::kWide; ++j) {
      shared.a[buffer][k + j][row] = own.a[i].at[j];
      shared.b[buffer][k + j][row] = own.b[i].at[j];
    }
  }
}

/**
 * Row (or column) `i` of a thread at place `place` of 16: vectors of neighbouring threads are neighbours, the rest lies
 * 16 vectors on.
 */
template <class Number>
GPUMARK_DEVICE u32 simt_place(u32 place, u32 i) {
  constexpr u32 wide = SimtShape<Number>::kWide;
  return i / wide * 16 * wide + place * wide + i % wide;
}

template <class Number>
GPUMARK_DEVICE void simt_multiply(SimtThread<Number>& own, const SimtBuffers<Number>& shared, u32 buffer, u32 thread) {
  using S = SimtShape<Number>;
  using Vector = SimtVector<Number>;
  const u32 down = thread / 16, across = thread % 16;
  // All sixteen steps at once make LLVM load all of them first, which no register file holds.
#if GPUMARK_AMD
#pragma unroll 2
#else
#pragma unroll
#endif
  for (u32 k = 0; k < S::kDepth; ++k) {
    Number a[S::kPerThread], b[S::kPerThread];
#pragma unroll
    for (u32 i = 0; i < S::kPerThread; i += S::kWide) {
      const Vector left = *reinterpret_cast<const Vector*>(&shared.a[buffer][k][simt_place<Number>(down, i)]);
      const Vector right = *reinterpret_cast<const Vector*>(&shared.b[buffer][k][simt_place<Number>(across, i)]);
#pragma unroll
      for (u32 j = 0; j < S::kWide; ++j) {
        a[i + j] = left.at[j];
        b[i + j] = right.at[j];
      }
    }
#pragma unroll
    for (u32 i = 0; i < S::kPerThread; ++i) {
#pragma unroll
      for (u32 j = 0; j < S::kPerThread; ++j) own.sum[i][j] = multiply_add(a[i], b[j], own.sum[i][j]);
    }
  }
}

template <class Number>
GPUMARK_DEVICE void simt_write(const SimtThread<Number>& own, const GemmArgs& args, GemmTile tile, u32 thread) {
  using S = SimtShape<Number>;
  using Vector = SimtVector<Number>;
  Number* c = static_cast<Number*>(args.c);
  const u32 down = thread / 16, across = thread % 16;
#pragma unroll
  for (u32 i = 0; i < S::kPerThread; ++i) {
    const u32 row = tile.row * S::kTile + simt_place<Number>(down, i);
    if (row >= args.m) continue;
#pragma unroll
    for (u32 j = 0; j < S::kPerThread; j += S::kWide) {
      const u32 column = tile.column * S::kTile + simt_place<Number>(across, j);
      if (column >= args.n) continue;
      Vector out;
#pragma unroll
      for (u32 l = 0; l < S::kWide; ++l) out.at[l] = own.sum[i][j + l];
      *reinterpret_cast<Vector*>(c + row * args.n + column) = out;
    }
  }
}

template <class Number>
GPUMARK_DEVICE void simt_gemm(const GemmArgs& args, SimtBuffers<Number>& shared) {
  using S = SimtShape<Number>;
  const u32 thread = thread_index();
  const GemmTile tile =
      gemm_tile(block_index(), (args.m + S::kTile - 1) / S::kTile, (args.n + S::kTile - 1) / S::kTile);
  SimtThread<Number> own;
#pragma unroll
  for (u32 i = 0; i < S::kPerThread * S::kPerThread; ++i) own.sum[i / S::kPerThread][i % S::kPerThread] = 0;
  simt_fetch(own, args, tile, thread, 0);
  simt_store(own, shared, 0, thread);
  local_barrier();
  u32 buffer = 0;
  for (u32 k = S::kDepth; k <= args.k; k += S::kDepth) {
    // The next tiles are on their way while this one is multiplied.
    if (k < args.k) simt_fetch(own, args, tile, thread, k);
    simt_multiply(own, shared, buffer, thread);
    if (k < args.k) simt_store(own, shared, buffer ^ 1, thread);
    local_barrier();
    buffer ^= 1;
  }
  simt_write(own, args, tile, thread);
}

}  // namespace gpumark::device

GPUMARK_PAIR_KERNEL(gpumark_sgemm, GemmArgs) {
  GPUMARK_SHARED(gpumark::device::SimtBuffers<float>, shared);
  gpumark::device::simt_gemm<float>(args, shared);
}
GPUMARK_PAIR_KERNEL(gpumark_dgemm, GemmArgs) {
  GPUMARK_SHARED(gpumark::device::SimtBuffers<double>, shared);
  gpumark::device::simt_gemm<double>(args, shared);
}
