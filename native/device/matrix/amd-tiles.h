// Tiles of A and B on their way into local memory: where each 16-byte chunk lies there, and which of them a thread
// copies.
#pragma once
#include "amd-gemm-write.h"
#include "amd-wave.h"

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

/**
 * Where chunk `chunk` of row `row` lies within its row of `chunks`: such that lanes that are served together read from
 * banks of their own, which local-banks.h proves, and that the threads that copy a row write all of its banks.
 */
template <u32 chunks>
GPUMARK_DEVICE constexpr u32 swizzled(u32 row, u32 chunk) {
  static_assert(chunks == 4 || chunks == 8, "rows of 64 or 128 bytes");
  return chunk ^ ((chunks == 4 ? row / 2 % 4 : row % 8) ^ (row / 8 % 2));
}

/** waves_down x waves_across waves of blocks_down x blocks_across results of Op each. */
template <class Op_, class Out_, u32 row_bytes, u32 waves_down, u32 waves_across, u32 blocks_down, u32 blocks_across,
          u32 buffers = 2>
struct AmdShape {
  typedef Op_ Op;
  typedef Out_ Out;
  static constexpr u32 kBuffers = buffers, kRowBytes = row_bytes, kRowChunks = row_bytes / 16,
                       kSteps = kRowChunks / Op::kStepChunks;
  static constexpr u32 kWavesAcross = waves_across, kThreads = waves_down * waves_across * Op::kWave;
  static constexpr u32 kDown = blocks_down, kAcross = blocks_across;
  static constexpr u32 kTileM = waves_down * blocks_down * Op::kEdge, kTileN = waves_across * blocks_across * Op::kEdge;
  /** Chunks of a tile that a thread copies. */
  static constexpr u32 kCopiesA = kTileM * kRowChunks / kThreads, kCopiesB = kTileN * kRowChunks / kThreads,
                       kCopies = kCopiesA + kCopiesB;
  static constexpr u32 kBufferChunks = (kTileM + kTileN) * kRowChunks;
  static_assert(kCopiesA * kThreads == kTileM * kRowChunks && kCopiesB * kThreads == kTileN * kRowChunks,
                "all threads copy alike");
  static_assert(waves_down * waves_across * AmdStrip<Op, Out>::kChunks <= kBuffers * kBufferChunks,
                "results go out through the same memory");
};

template <class S>
struct AmdBuffers {
  Chunk at[S::kBuffers][S::kBufferChunks];
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
  for (u32 i = 0; i < S::kCopies; ++i) {
    const bool of_a = i < S::kCopiesA;
    const u32 wanted = row + (of_a ? i : i - S::kCopiesA) * kRowsAtOnce, rows = of_a ? args.m - top : args.n - left;
    copy.from[i] = (wanted < rows ? wanted : rows - 1) * stride + column;
  }
  return copy;
}

/** Loads copy `i` of a stage. */
template <class S>
GPUMARK_DEVICE void amd_load(AmdCopy<S>& copy, u32 i) {
  // A base in scalar registers and an offset of 32 bits in a vector register is one addressing mode; the compiler must
  // see the widening here.
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

/**
 * Writes copies `first` to `last` to `buffer`, and loads those of the next stage: one by one, as LLVM keeps the order
 * of these accesses.
 */
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

}  // namespace gpumark::device
#endif
