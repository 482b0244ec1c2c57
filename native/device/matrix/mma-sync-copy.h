// Tiles of A and B from memory into the stages of shared memory: past the registers (sm_80 and later), or through them
// (sm_75).
#pragma once
#include "mma-sync-shape.h"

namespace gpumark::device::mma_sync {

/** What one thread copies of each tile: the same chunk of every kStep-th row. */
template <class S>
struct Sources {
  /**
   * Rows between two copies of a thread: a multiple of 8, so that all of them stand at the same chunk of their rows
   * (chunk_at).
   */
  static constexpr u32 kStep = S::kThreads / S::kChunks;
  static constexpr u32 kOfA = S::kTileM / kStep, kOfB = S::kTileN / kStep;
  static_assert(kStep % 8 == 0 && S::kTileM % kStep == 0 && S::kTileN % kStep == 0);
  const unsigned char* a;
  const unsigned char* b;
  /**
   * Chunks from a and from b: below 2^32, as arrays have fewer than 2^32 elements of at most 8 bytes. `last` is the
   * same chunk of the last row. These advance and not the addresses, so that nothing can be computed before the loop
   * and kept in registers, which are all needed.
   */
  u32 first_of_a, last_of_a, first_of_b, last_of_b, rows_step;
  /** Within a stage. */
  u32 place;

  GPUMARK_MEMBER Sources(const GemmArgs& args, Tile tile)
      : a(static_cast<const unsigned char*>(args.a)), b(static_cast<const unsigned char*>(args.b)) {
    const u32 thread = thread_index(), row = thread / S::kChunks, chunk = thread % S::kChunks;
    const u32 chunks = args.k / (kChunkBytes / S::Numbers::kInputBytes);
    place = chunk_at<S>(row, chunk);
    rows_step = kStep * chunks;
    first_of_a = (tile.row + row) * chunks + chunk;
    last_of_a = (args.m - 1) * chunks + chunk;
    first_of_b = (tile.column + row) * chunks + chunk;
    last_of_b = (args.n - 1) * chunks + chunk;
  }

  /**
   * Calls to(place within the stage, address) for each copy of a pair of tiles, then moves on to the next pair along k.
   * Rows beyond the last are read as the last: what comes of them is not written.
   */
  template <class To>
  GPUMARK_MEMBER void each(To to) {
    u32 from = first_of_a;
#pragma unroll
    for (u32 i = 0; i < kOfA; ++i, from += rows_step)
      to(i, place + i * kStep * S::kRowBytes, a + static_cast<u64>(smaller(from, last_of_a)) * kChunkBytes);
    from = first_of_b;
#pragma unroll
    for (u32 i = 0; i < kOfB; ++i, from += rows_step) {
      to(kOfA + i, place + (S::kTileM + i * kStep) * S::kRowBytes,
         b + static_cast<u64>(smaller(from, last_of_b)) * kChunkBytes);
    }
    first_of_a += S::kChunks;
    last_of_a += S::kChunks;
    first_of_b += S::kChunks;
    last_of_b += S::kChunks;
  }

 private:
  GPUMARK_MEMBER static u32 smaller(u32 x, u32 y) { return x < y ? x : y; }
};

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
/** Starts the copies of one pair of tiles to the stage at `stage`, and moves on to the next pair. */
template <class S>
GPUMARK_DEVICE void copy_tiles(Copies& copies, Sources<S>& from, u32 stage) {
  from.each([&](u32, u32 place, const unsigned char* address) { copies.copy(stage + place, address); });
}
#endif

/** A pair of tiles that is on its way through this thread's registers. */
template <class S>
struct Fetched {
  WordPair vectors[Sources<S>::kOfA + Sources<S>::kOfB];

  GPUMARK_MEMBER void fetch(Sources<S>& from) {
    from.each(
        [&](u32 i, u32, const unsigned char* address) { vectors[i] = *reinterpret_cast<const WordPair*>(address); });
  }
  GPUMARK_MEMBER void store(const Sources<S>& from, unsigned char* stage) const {
#pragma unroll
    for (u32 i = 0; i < Sources<S>::kOfA + Sources<S>::kOfB; ++i) {
      *reinterpret_cast<WordPair*>(stage + from.place + i * Sources<S>::kStep * S::kRowBytes) = vectors[i];
    }
  }
};

}  // namespace gpumark::device::mma_sync
