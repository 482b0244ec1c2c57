// The loop over k of the mma.sync kernels.
#pragma once
#include "mma-sync-copy.h"

namespace gpumark::device::mma_sync {

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
/**
 * Tile t of A and B is in stage t % kStages. While it is multiplied, the kStages - 2 after it are on their way; the one
 * that follows those goes where tile t - 1 was, which all threads have read: its last fragments were loaded before the
 * barrier that ends it.
 */
template <class S, class Product>
GPUMARK_DEVICE void multiply_all(Product& product, const GemmArgs& args, Tile tile) {
  const u32 window = shared_window(), tiles = args.k / S::kTileK, end = window + S::kSharedBytes;
  Sources<S> sources(args, tile);
  Copies copies;
#pragma unroll
  for (u32 i = 0; i < S::kStages - 1; ++i) {
    if (i < tiles) copy_tiles<S>(copies, sources, window + i * S::kStageBytes);
    copies.commit();
  }
  // Of the groups up to here, and one more after each tile, all but the last kStages - 2 are the tiles up to the one
  // that is next.
  copies.template wait<S::kStages - 2>();
  block_barrier(S::kThreads);
  product.load(0, window, 0);
  product.prepare(0);
  u32 read = window, write = end - S::kStageBytes;
#pragma unroll 1
  for (u32 t = 0; t < tiles; ++t) {
#pragma unroll
    for (u32 step = 0; step < Product::kSteps; ++step) {
      if (step == Product::kSteps - 1) {
        copies.template wait<S::kStages - 2>();
        block_barrier(S::kThreads);
        write = read;
        read = read + S::kStageBytes == end ? window : read + S::kStageBytes;
      }
      // After the last tile, this reads what is not used.
      product.load((step + 1) % 2, read, (step + 1) % Product::kSteps);
      if (step == 0) {
        if (t + S::kStages - 1 < tiles) copy_tiles<S>(copies, sources, write);
        copies.commit();
      }
      product.multiply(step % 2);
      product.prepare((step + 1) % 2);
    }
  }
  copies.template wait<0>();
  block_barrier(S::kThreads);
}
#endif

/** Two stages, and registers on the way to them. */
template <class S, class Product>
GPUMARK_DEVICE void multiply_all_by_registers(Product& product, const GemmArgs& args, Tile tile) {
  static_assert(S::kStages == 2);
  const u32 window = shared_window(), tiles = args.k / S::kTileK;
  unsigned char* const shared = static_cast<unsigned char*>(dynamic_shared());
  Sources<S> sources(args, tile);
  Fetched<S> fetched;
  fetched.fetch(sources);
  fetched.store(sources, shared);
  block_barrier(S::kThreads);
  product.load(0, window, 0);
  product.prepare(0);
  u32 stage = 0;
#pragma unroll 1
  for (u32 t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) fetched.fetch(sources);
#pragma unroll
    for (u32 step = 0; step < Product::kSteps; ++step) {
      if (step == Product::kSteps - 1) {
        stage = S::kStageBytes - stage;
        // Tile t - 1 was here; its last fragments were loaded before the barrier that ended it.
        if (t + 1 < tiles) fetched.store(sources, shared + stage);
        block_barrier(S::kThreads);
      }
      product.load((step + 1) % 2, window + stage, (step + 1) % Product::kSteps);
      product.multiply(step % 2);
      product.prepare((step + 1) % 2);
    }
  }
  block_barrier(S::kThreads);
}

}  // namespace gpumark::device::mma_sync
