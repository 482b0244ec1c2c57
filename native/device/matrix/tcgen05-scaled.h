// Block-scaled products on data-centre Blackwell: those of tcgen05.h with the scales of each stage copied beside its
// tiles, and on to tensor memory before they are multiplied. One tile of sums, since scales take the room of the other.
#pragma once
#include "../block-scales.h"
#include "tcgen05-scaled-ops.h"
#include "tcgen05.h"

namespace gpumark::device {

/** Of k a stage holds 128 bytes of every row, four instructions' worth. */
template <NumberFormat given>
struct ScaledTensorFacts {
  static constexpr NumberFormat format = given, output = NumberFormat::bf16;
  static constexpr u32 kBuffers = 1, kSteps = kPairTileBytes / kStepBytes;
  static constexpr u32 kNumbersOfByte = given == NumberFormat::mxfp8 ? 1 : 2;
  static constexpr u32 kStepDepth = kStepBytes * kNumbersOfByte, kDepth = kSteps * kStepDepth;
  /** Of k in a tile of scales, tiles of scales in a stage for the rows of A, and steps that share one. */
  static constexpr u32 kScaleDepth = 4 * (given == NumberFormat::nvfp4 ? 16 : 32), kTiles = kDepth / kScaleDepth;
  static constexpr u32 kStepsOfTile = kScaleDepth / kStepDepth;
  /** A tile for A's 128 rows, two for B's 256, of each of the stage's. */
  static constexpr u32 kStageBytes = 3 * kTiles * kScaleTileBytes, kStageColumns = 3 * kTiles * kScaleTileColumns;
  static_assert(kPairTileN == 2 * 128 && kTensorTileN + kPairStages * kStageColumns <= kTensorColumns);
};

/** Tiles of scales that there are for the stage that begins at k: the last stage may be a half one. */
template <class Product>
GPUMARK_DEVICE u32 scale_tiles_at(const TensorMapGemmArgs& args, u32 k) {
  const u32 left = (args.k - k + Product::kScaleDepth - 1) / Product::kScaleDepth;
  return left < Product::kTiles ? left : Product::kTiles;
}

/** Behind the barriers. First those of A, then of B's first and second 128 rows, each along k. */
template <class Product>
GPUMARK_DEVICE u32 scales_in(PairMemory memory, u32 stage) {
  constexpr u32 kBarrierBytes = 128;
  return memory.full(0) + kBarrierBytes + stage * Product::kStageBytes;
}

/** Scales of 128 rows from `row` on; of rows beyond the last, whose results are not written, the last there are. */
template <class Product>
GPUMARK_DEVICE const unsigned char* scales_of(const void* scales, u32 row, u32 rows, u32 k) {
  const u32 last = (rows - 1) / 128, tile = row / 128 < last ? row / 128 : last;
  const u32 tiles_along = (k + Product::kScaleDepth - 1) / Product::kScaleDepth;
  return static_cast<const unsigned char*>(scales) + static_cast<u64>(tile) * tiles_along * kScaleTileBytes;
}

/** One thread, as copy_pairs: each block copies the scales of its own rows of A, and all of B's for itself. */
template <class Product>
GPUMARK_DEVICE void copy_scaled_pairs(const TensorMapGemmArgs& args, PairMemory memory, u32 rank) {
  const PairWork work = pair_work(args);
  PairStage stage;
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    const PairPlace place = pair_place(work, pair);
    const u32 row = place.row + rank * kPairTileM, share = place.column + rank * kPairShareRows;
    const unsigned char* sources[] = {scales_of<Product>(args.scales_a, row, args.m, args.k),
                                      scales_of<Product>(args.scales_b, place.column, args.n, args.k),
                                      scales_of<Product>(args.scales_b, place.column + 128, args.n, args.k)};
    for (u32 k = 0; k < args.k; k += Product::kDepth) {
      if (!barrier_wait(memory.empty(stage.number), stage.parity ^ 1)) return;
      const u32 full = memory.full(stage.number), bytes = scale_tiles_at<Product>(args, k) * kScaleTileBytes;
      barrier_arrive_awaiting(full, kPairStageBytes + 3 * bytes);
      const u32 x = k / Product::kNumbersOfByte;
      load_box(memory.a(stage.number), args.a, x, row, full);
      load_box_to((1u << kPairBlocks) - 1, memory.b(stage.number) + rank * kPairShareRows * kPairTileBytes, args.b, x,
                  share, full);
      const u32 to = scales_in<Product>(memory, stage.number);
#pragma unroll
      for (u32 i = 0; i < 3; ++i)
        load_bytes(to + i * Product::kTiles * kScaleTileBytes, sources[i] + k / Product::kScaleDepth * kScaleTileBytes,
                   bytes, full);
      stage.next();
    }
  }
}

/**
 * One thread, as tensor_produce. Each stage has columns of its own for its scales: what multiplied by those that were
 * there is over when the stage is full again, and nothing else would promise it.
 */
template <class Product>
GPUMARK_DEVICE void tensor_produce_scaled(const TensorMapGemmArgs& args, PairMemory memory, TensorBarriers barriers,
                                          u32 columns) {
  constexpr u32 kTiles = Product::kTiles, kStepsOfTile = Product::kStepsOfTile;
  const PairWork work = pair_work(args);
  PairStage stage;
  TensorBuffer<Product::kBuffers> buffer;
  bool patient = true;
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    patient = patient && barrier_wait(barriers.free(0), buffer.parity ^ 1);
    after_hearing();
    for (u32 k = 0; k < args.k; k += Product::kDepth) {
      patient = patient && barrier_wait(memory.full(stage.number), stage.parity);
      after_hearing();
      const u32 tiles = scale_tiles_at<Product>(args, k), from = scales_in<Product>(memory, stage.number);
      const u32 of_a = columns + kTensorTileN + stage.number * Product::kStageColumns,
                of_b = of_a + kTiles * kScaleTileColumns;
#pragma unroll
      for (u32 tile = 0; tile < kTiles; ++tile) {
        if (tile >= tiles) break;
        copy_scales(of_a + tile * kScaleTileColumns, scale_tile(from + tile * kScaleTileBytes));
#pragma unroll
        for (u32 half = 0; half < 2; ++half)
          copy_scales(of_b + (2 * tile + half) * kScaleTileColumns,
                      scale_tile(from + ((1 + half) * kTiles + tile) * kScaleTileBytes));
      }
      const u64 a = tensor_tile(memory.a(stage.number)), b = tensor_tile(memory.b(stage.number));
#pragma unroll
      for (u32 step = 0; step < Product::kSteps; ++step) {
        if (k + step * Product::kStepDepth >= args.k) break;
        constexpr u32 kBytes = 4 / kStepsOfTile;
        const u32 tile = step / kStepsOfTile;
        tensor_multiply_scaled<Product::format>(columns, tensor_tile_at(a, step * kStepBytes),
                                                tensor_tile_at(b, step * kStepBytes), step % kStepsOfTile * kBytes,
                                                of_a + tile * kScaleTileColumns, of_b + 2 * tile * kScaleTileColumns,
                                                k + step);
      }
      arrive_when_multiplied_at((1u << kPairBlocks) - 1, memory.empty(stage.number));
      stage.next();
    }
    arrive_when_multiplied(barriers.done(0));
    buffer.next();
  }
}

template <NumberFormat given>
struct ScaledTensorProduct : ScaledTensorFacts<given> {
  using Facts = ScaledTensorFacts<given>;
  GPUMARK_MEMBER static void copy(const TensorMapGemmArgs& args, PairMemory memory, u32 rank) {
    copy_scaled_pairs<Facts>(args, memory, rank);
  }
  GPUMARK_MEMBER static void produce(const TensorMapGemmArgs& args, PairMemory memory, TensorBarriers barriers,
                                     u32 columns) {
    tensor_produce_scaled<Facts>(args, memory, barriers, columns);
  }
};

}  // namespace gpumark::device

#define GPUMARK_TENSOR_DEFINE_SCALED(name, format)                                                           \
  GPUMARK_TENSOR_KERNEL(name) {                                                                              \
    gpumark::device::tensor_gemm<gpumark::device::ScaledTensorProduct<gpumark::NumberFormat::format>>(args); \
  }

GPUMARK_TENSOR_DEFINE_SCALED(gpumark_tcgen05_nvfp4_128x256, nvfp4)
GPUMARK_TENSOR_DEFINE_SCALED(gpumark_tcgen05_mxfp4_128x256, mxfp4)
GPUMARK_TENSOR_DEFINE_SCALED(gpumark_tcgen05_mxfp8_128x256, mxfp8)
