// Matrix product on the ordinary lanes, C = A x B, row-major and square: tiles of A and B through shared memory in two buffers, a block of
// C in each thread's registers. Every element of C is one chain of multiply-adds in the order of k, so that any other
// implementation with that order gives the same bits.
#pragma once
#include "block.h"
#include "random-words.h"

namespace gpumark::device {

/** Sizes for `Number`: a block of 256 threads makes a tile of kTile x kTile, each thread kPerThread x kPerThread of it. */
template <class Number>
struct GemmShape {
  static constexpr u32 kPerThread = sizeof(Number) == 4 ? 8 : 4;
  static constexpr u32 kTile = 16 * kPerThread;
  /** Numbers of one 16-byte vector. */
  static constexpr u32 kWide = kVectorBytes / sizeof(Number);
  static constexpr u32 kDepth = kGemmDepth;
  static constexpr u32 kVectorsPerThread = kTile * kDepth / kWide / kBlockThreads;
  /** Rows of the transposed tile of A are a vector longer, so that storing a column hits other banks. */
  static constexpr u32 kStride = kTile + kWide;
};

template <class Number>
struct alignas(16) GemmVector {
  Number at[GemmShape<Number>::kWide];
};

/** Tile of C of this block: neighbouring blocks share rows of A and columns of B in the second-level cache. */
struct GemmTile {
  u32 row, column;
};
GPUMARK_DEVICE GemmTile gemm_tile(u32 block, u32 tiles) {
  constexpr u32 kBand = 8;
  const u32 band = block / (kBand * tiles);
  const u32 rows = tiles - band * kBand < kBand ? tiles - band * kBand : kBand;
  const u32 within = block - band * kBand * tiles;
  return {band * kBand + within % rows, within / rows};
}

/** What one thread carries from step to step. */
template <class Number>
struct GemmThread {
  Number sum[GemmShape<Number>::kPerThread][GemmShape<Number>::kPerThread];
  GemmVector<Number> a[GemmShape<Number>::kVectorsPerThread], b[GemmShape<Number>::kVectorsPerThread];
};

template <class Number>
GPUMARK_DEVICE void gemm_fetch(GemmThread<Number>& own, const GemmArgs& args, GemmTile tile, u32 thread, u32 k) {
  using S = GemmShape<Number>;
  using Vector = GemmVector<Number>;
  const Number* a = static_cast<const Number*>(args.a);
  const Number* b = static_cast<const Number*>(args.b);
#pragma unroll
  for (u32 i = 0; i < S::kVectorsPerThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    const u32 row = tile.row * S::kTile + index / (S::kDepth / S::kWide);
    own.a[i] = *reinterpret_cast<const Vector*>(a + row * args.n + k + index % (S::kDepth / S::kWide) * S::kWide);
    const u32 depth = k + index / (S::kTile / S::kWide);
    own.b[i] = *reinterpret_cast<const Vector*>(b + depth * args.n + tile.column * S::kTile + index % (S::kTile / S::kWide) * S::kWide);
  }
}

template <class Number>
struct GemmBuffers {
  alignas(16) Number a[2][GemmShape<Number>::kDepth][GemmShape<Number>::kStride];
  alignas(16) Number b[2][GemmShape<Number>::kDepth][GemmShape<Number>::kTile];
};

template <class Number>
GPUMARK_DEVICE void gemm_store(const GemmThread<Number>& own, GemmBuffers<Number>& shared, u32 buffer, u32 thread) {
  using S = GemmShape<Number>;
#pragma unroll
  for (u32 i = 0; i < S::kVectorsPerThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    const u32 row = index / (S::kDepth / S::kWide), k = index % (S::kDepth / S::kWide) * S::kWide;
#pragma unroll
    for (u32 j = 0; j < S::kWide; ++j) shared.a[buffer][k + j][row] = own.a[i].at[j];
    const u32 depth = index / (S::kTile / S::kWide), column = index % (S::kTile / S::kWide) * S::kWide;
    *reinterpret_cast<GemmVector<Number>*>(&shared.b[buffer][depth][column]) = own.b[i];
  }
}

/** Row (or column) `i` of a thread at place `place` of 16: vectors of neighbouring threads are neighbours, the rest lies 16 vectors on. */
template <class Number>
GPUMARK_DEVICE u32 gemm_place(u32 place, u32 i) {
  constexpr u32 wide = GemmShape<Number>::kWide;
  return i / wide * 16 * wide + place * wide + i % wide;
}

template <class Number>
GPUMARK_DEVICE void gemm_multiply(GemmThread<Number>& own, const GemmBuffers<Number>& shared, u32 buffer, u32 thread) {
  using S = GemmShape<Number>;
  using Vector = GemmVector<Number>;
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
      const Vector left = *reinterpret_cast<const Vector*>(&shared.a[buffer][k][gemm_place<Number>(down, i)]);
      const Vector right = *reinterpret_cast<const Vector*>(&shared.b[buffer][k][gemm_place<Number>(across, i)]);
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
GPUMARK_DEVICE void gemm_write(const GemmThread<Number>& own, const GemmArgs& args, GemmTile tile, u32 thread) {
  using S = GemmShape<Number>;
  using Vector = GemmVector<Number>;
  Number* c = static_cast<Number*>(args.c);
  const u32 down = thread / 16, across = thread % 16;
#pragma unroll
  for (u32 i = 0; i < S::kPerThread; ++i) {
    const u32 row = tile.row * S::kTile + gemm_place<Number>(down, i);
#pragma unroll
    for (u32 j = 0; j < S::kPerThread; j += S::kWide) {
      Vector out;
#pragma unroll
      for (u32 l = 0; l < S::kWide; ++l) out.at[l] = own.sum[i][j + l];
      *reinterpret_cast<Vector*>(c + row * args.n + tile.column * S::kTile + gemm_place<Number>(across, j)) = out;
    }
  }
}

template <class Number>
GPUMARK_DEVICE void gemm_block(const GemmArgs& args, GemmBuffers<Number>& shared) {
  using S = GemmShape<Number>;
  const GemmTile tile = gemm_tile(block_index(), args.n / S::kTile);
  PerThread<GemmThread<Number>> own;
  GPUMARK_EACH_THREAD(thread) {
#pragma unroll
    for (u32 i = 0; i < S::kPerThread * S::kPerThread; ++i) own(thread).sum[i / S::kPerThread][i % S::kPerThread] = 0;
    gemm_fetch(own(thread), args, tile, thread, 0);
    gemm_store(own(thread), shared, 0, thread);
  }
  block_barrier();
  u32 buffer = 0;
  for (u32 k = S::kDepth; k <= args.n; k += S::kDepth) {
    GPUMARK_EACH_THREAD(thread) {
      // The next tiles are on their way while this one is multiplied.
      if (k < args.n) gemm_fetch(own(thread), args, tile, thread, k);
      gemm_multiply(own(thread), shared, buffer, thread);
      if (k < args.n) gemm_store(own(thread), shared, buffer ^ 1, thread);
    }
    block_barrier();
    buffer ^= 1;
  }
  GPUMARK_EACH_THREAD(thread) { gemm_write(own(thread), args, tile, thread); }
}

/** Counts the elements of C that differ from one chain of multiply-adds in the order of k. */
template <class Number>
GPUMARK_DEVICE void gemm_check(const GemmCheckArgs& args) {
  const Number* a = static_cast<const Number*>(args.a);
  const Number* b = static_cast<const Number*>(args.b);
  const Number* c = static_cast<const Number*>(args.c);
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads, n = args.n;
  u64 wrong = 0;
  for (u64 element = global_thread(); element < n * n; element += stride) {
    const u64 row = element / n, column = element % n;
    Number sum = 0;
    for (u64 k = 0; k < n; ++k) sum = multiply_add(a[row * n + k], b[k * n + column], sum);
    if (!(c[element] == sum)) ++wrong;
  }
  if (wrong) add_to(args.wrong, wrong);
}

template <class Number>
GPUMARK_DEVICE void fill_normal(const FillArgs& args) {
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  Number* out = reinterpret_cast<Number*>(args.out);
  for (u64 i = global_thread(); i < args.count; i += stride) out[i] = args.random ? static_cast<Number>(gpumark::random_normal(args.seed, i)) : Number(0);
}

}  // namespace gpumark::device

GPUMARK_PAIR_KERNEL(gpumark_sgemm, GemmArgs) {
  GPUMARK_SHARED gpumark::device::GemmBuffers<float> shared;
  gpumark::device::gemm_block<float>(args, shared);
}
GPUMARK_PAIR_KERNEL(gpumark_dgemm, GemmArgs) {
  GPUMARK_SHARED gpumark::device::GemmBuffers<double> shared;
  gpumark::device::gemm_block<double>(args, shared);
}
GPUMARK_KERNEL(gpumark_sgemm_check, GemmCheckArgs) { gpumark::device::gemm_check<float>(args); }
GPUMARK_KERNEL(gpumark_dgemm_check, GemmCheckArgs) { gpumark::device::gemm_check<double>(args); }
GPUMARK_KERNEL(gpumark_fill_fp32, FillArgs) { gpumark::device::fill_normal<float>(args); }
GPUMARK_KERNEL(gpumark_fill_fp64, FillArgs) { gpumark::device::fill_normal<double>(args); }
