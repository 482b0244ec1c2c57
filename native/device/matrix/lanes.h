// fp32 products on the ordinary lanes, for sm_80 and later: tiles of A and B past the registers into the stages of
// shared memory (cp.async), 8 x 16 sums per thread, the operands of a step along k loaded during the one before.
// ../simt-gemm.h is for what has no cp.async, and a candidate beside these.
//
// Where a multiply-add takes one issue slot (sm_86 and later; two on sm_80), every other instruction costs the place of
// one. Tiles 16 deep: of 2209 to 2215 slots 2048 are multiply-adds, 0.924 to 0.927; the others are 96 loads of 16
// bytes, 24 copies, 12 addresses, 9 empty loads (ptxas puts three before copies that follow loads) and what the loop
// needs. Its 35 KiB of code are more than the caches of instructions that belong to one scheduler hold, of which NVIDIA
// says nothing: tiles 8 deep are 1024 of 1125 to 1131 slots, 0.905 to 0.910, in 18 KiB. Which is the faster one the
// trial on the card decides. The loop of ../simt-gemm.h has 512 of 583, 0.878.
//
// One block of 256 threads with up to 255 registers fills a multiprocessor: two warps per scheduler, each with 128
// independent sums.
#pragma once
#include "mma-sync-shape.h"

#if GPUMARK_SIMULATED
#define GPUMARK_LANES_KERNEL(name) extern "C" void name(const gpumark::device::GemmArgs args)
#else
#define GPUMARK_LANES_KERNEL(name)                                                     \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(256, 1))) void name( \
      const gpumark::device::GemmArgs args)
#endif

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
namespace gpumark::device::lanes {

/** Tiles of 128 x 256 that are tile_k deep, `stages` of which are on their way or in use. */
template <u32 tile_k, u32 stages>
struct Shape {
  static constexpr u32 kTileM = 128, kTileN = 256, kTileK = tile_k, kStages = stages, kThreads = 256;
  /**
   * A stage has a row per step along k: 128 numbers of A, 256 of B, and 4 unused ones, so that a warp's copy, of 4 rows
   * of A or B at 8 steps along k, meets every bank of shared memory once.
   */
  static constexpr u32 kRowBytes = (kTileM + kTileN + 4) * 4, kOfB = kTileM * 4;
  static constexpr u32 kStageBytes = kTileK * kRowBytes, kSharedBytes = kStages * kStageBytes;
  /** k is a multiple of 64: all tiles along k are whole, and more than are on their way at first. */
  static_assert(64 % kTileK == 0 && kStages - 1 <= 64 / kTileK);
};

/**
 * The compiler knows nothing of this number: it keeps it in a register, and neither computes it again nor computes
 * ahead of the loop what follows from it, for which there are no registers.
 */
GPUMARK_DEVICE u32 kept(u32 number) {
#if !GPUMARK_SIMULATED
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/** What one thread copies: numbers of every 32nd row of A and of B, 8 steps along k apart. */
template <class S>
class Sources {
 public:
  static constexpr u32 kStep = S::kThreads / 8, kRowsOfA = S::kTileM / kStep, kRows = kRowsOfA + S::kTileN / kStep;

  GPUMARK_MEMBER Sources(const GemmArgs& args, mma_sync::Tile tile)
      : a_(static_cast<const unsigned char*>(args.a) + thread_index() % 8 * 4),
        b_(static_cast<const unsigned char*>(args.b) + thread_index() % 8 * 4),
        row_bytes_(args.k * 4),
        place_(kept(thread_index() % 8 * S::kRowBytes + first_row() * 4)) {
    // Rows beyond the last are read as the last: what comes of them is not written.
#pragma unroll
    for (u32 i = 0; i < kRows; ++i) {
      rows_[i] = i < kRowsOfA ? smaller(tile.row + first_row() + i * kStep, args.m - 1)
                              : smaller(tile.column + first_row() + (i - kRowsOfA) * kStep, args.n - 1);
    }
  }

  /** Where this thread's first number goes in the stage at `stage`. */
  GPUMARK_MEMBER u32 place_in(u32 stage) const { return kept(stage + place_); }

  /** Starts the copies of `count` rows to the stage whose place_in is `to`. */
  GPUMARK_MEMBER void copy(mma_sync::Copies& copies, u32 to, u32 first, u32 count) const {
    // One instruction per address, and no 64-bit offset of every row kept for it.
    const u32 row_bytes = kept(row_bytes_);
#pragma unroll
    for (u32 i = first; i < first + count; ++i) {
      const unsigned char* from = (i < kRowsOfA ? a_ : b_) + static_cast<u64>(rows_[i]) * row_bytes;
#pragma unroll
      for (u32 k = 0; k < S::kTileK; k += 8) copies.copy_word(to + i * kStep * 4 + k * S::kRowBytes, from + k * 4);
    }
  }
  /** On to the next tiles along k. */
  GPUMARK_MEMBER void advance() {
    a_ += S::kTileK * 4;
    b_ += S::kTileK * 4;
  }

 private:
  GPUMARK_MEMBER static u32 first_row() { return thread_index() / 8; }
  GPUMARK_MEMBER static u32 smaller(u32 x, u32 y) { return x < y ? x : y; }

  const unsigned char* a_;
  const unsigned char* b_;
  u32 row_bytes_, place_, rows_[kRows];
};

/**
 * Sums of one thread: 8 rows and 16 columns, in vectors of 4. A warp has 32 rows and 128 columns, the block 4 x 2
 * warps; a lane has every 4th vector of its warp's rows and every 8th of its columns. Lanes l and l ^ 1 share their
 * rows, l and l ^ 2 their columns, and 16 lanes that follow each other read 128 bytes at most: a warp's load of 16
 * bytes per lane then takes two passes through shared memory instead of four (found by measurement by others; NVIDIA
 * says nothing).
 */
template <class S>
class Product {
 public:
  static constexpr u32 kDown = 8, kAcross = 16;

  GPUMARK_MEMBER Product() {
    const u32 lane = thread_index() % 32, warp = thread_index() / 32;
    row_ = warp / 2 * 32 + (lane / 2 % 2 + lane / 16 * 2) * 4;
    column_ = warp % 2 * 128 + (lane % 2 + lane / 4 % 4 * 2) * 4;
    of_a_ = kept(row_ * 4);
    of_b_ = kept(S::kOfB + column_ * 4);
#pragma unroll
    for (u32 i = 0; i < kDown * kAcross; ++i) sum_[i / kAcross][i % kAcross] = 0;
  }

  /** Operands of one step along k, whose row in shared memory begins at `row`; two of them are held. */
  GPUMARK_MEMBER void load(u32 which, u32 row) {
    mma_sync::load_quads<kDown / 4, 64>(a_[which], row + of_a_);
    mma_sync::load_quads<kAcross / 4, 128>(b_[which], row + of_b_);
  }

  /**
   * Column by column, up and down: each multiply-add has an operand of the one before, which is then not read from the
   * registers again. Of all orders tried ptxas makes the fewest multiply-adds that read three registers, or two of the
   * same bank, from this one.
   */
  GPUMARK_MEMBER void multiply(u32 which) {
#pragma unroll
    for (u32 j = 0; j < kAcross; ++j) {
#pragma unroll
      for (u32 l = 0; l < kDown; ++l) {
        const u32 i = j % 2 ? kDown - 1 - l : l;
        sum_[i][j] = multiply_add(a_[which][i], b_[which][j], sum_[i][j]);
      }
    }
  }

  /** n is a multiple of 8, so vectors are whole. */
  GPUMARK_MEMBER void write(const GemmArgs& args, mma_sync::Tile tile) const {
    struct alignas(16) Vector {
      float at[4];
    };
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) {
      const u32 row = tile.row + row_ + i / 4 * 16 + i % 4;
      if (row >= args.m) continue;
#pragma unroll
      for (u32 j = 0; j < kAcross; j += 4) {
        const u32 column = tile.column + column_ + j * 8;
        if (column >= args.n) continue;
        const Vector out = {{sum_[i][j], sum_[i][j + 1], sum_[i][j + 2], sum_[i][j + 3]}};
        *reinterpret_cast<Vector*>(static_cast<float*>(args.c) + row * args.n + column) = out;
      }
    }
  }

 private:
  float sum_[kDown][kAcross];
  float a_[2][kDown], b_[2][kAcross];
  u32 row_, column_, of_a_, of_b_;
};

/**
 * Tile t of A and B is in stage t % kStages. While it is multiplied, the kStages - 2 after it are on their way, and the
 * one that follows those sets out for where t - 1 was, whose last operands all threads have loaded before the barrier
 * that ends it.
 */
template <class S>
GPUMARK_DEVICE void gemm(const GemmArgs& args) {
  // Rows of the tiles of A and B whose copies are started together, thrice in a tile: ptxas spends three slots on each
  // start, and all copies at once would hold up the loads behind them.
  constexpr u32 kStarts = 3, kTogether = Sources<S>::kRows / kStarts, kApart = S::kTileK / (kStarts + 1);
  const mma_sync::Tile tile = mma_sync::tile_of<S>(block_index(), args);
  const u32 window = mma_sync::shared_window(), end = window + S::kSharedBytes, tiles = args.k / S::kTileK;
  Sources<S> sources(args, tile);
  mma_sync::Copies copies;
#pragma unroll
  for (u32 i = 0; i < S::kStages - 1; ++i) {
    sources.copy(copies, sources.place_in(window + i * S::kStageBytes), 0, sources.kRows);
    sources.advance();
    copies.commit();
  }
  // Of the groups up to here, and one more in each tile, all but the last kStages - 2 are the tiles up to the one that
  // is next.
  copies.template wait<S::kStages - 2>();
  block_barrier(S::kThreads);
  Product<S> product;
  product.load(0, window);
  u32 read = window, write = sources.place_in(end - S::kStageBytes);
#pragma unroll 1
  for (u32 t = 0; t < tiles; ++t) {
#pragma unroll
    for (u32 step = 0; step < S::kTileK; ++step) {
      if (step == S::kTileK - 1) {
        copies.template wait<S::kStages - 2>();
        block_barrier(S::kThreads);
        write = sources.place_in(read);
        read = read + S::kStageBytes == end ? window : read + S::kStageBytes;
      }
      // After the last tile, this reads what is not used.
      product.load((step + 1) % 2, read + (step + 1) % S::kTileK * S::kRowBytes);
      if (step % kApart == 0 && step / kApart < kStarts && t + S::kStages - 1 < tiles)
        sources.copy(copies, write, step / kApart * kTogether, kTogether);
      if (step == kStarts * kApart) {
        copies.commit();
        sources.advance();
      }
      product.multiply(step % 2);
    }
  }
  product.write(args, tile);
}

}  // namespace gpumark::device::lanes

GPUMARK_LANES_KERNEL(gpumark_sgemm_128x256x16) {
  gpumark::device::lanes::gemm<gpumark::device::lanes::Shape<16, 3>>(args);
}
GPUMARK_LANES_KERNEL(gpumark_sgemm_128x256x8) {
  gpumark::device::lanes::gemm<gpumark::device::lanes::Shape<8, 6>>(args);
}
#endif
