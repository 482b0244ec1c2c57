// Matrix products on Hopper. Two blocks share the columns of a tile pair and each other's copies of B; in each block
// one thread copies tiles into four stages of shared memory while two warpgroups multiply, each 64 rows, and write what
// is finished during the next tile's copies. Blocks stay and take tile pair after tile pair. Never run on hardware so
// far: there, each product is proved before it is offered.
#pragma once
#include "quad-ops.h"
#include "tile-pairs.h"
#include "wgmma-ops.h"

namespace gpumark::device {

/** One warpgroup copies and two multiply. */
constexpr u32 kWgmmaThreads = 384;
/** 128 threads copy and two times 128 multiply with what registers there are. */
constexpr u32 kCopyingRegisters = 40, kMultiplyingRegisters = 232;
static_assert(128 * kCopyingRegisters + 256 * kMultiplyingRegisters <= 65536);

/**
 * One thread of the warpgroup for each block of the cluster says that the warpgroup has read the stage: its
 * multiplications are over.
 */
GPUMARK_DEVICE void wgmma_release(PairMemory memory, u32 stage, u32 thread) {
  if (thread % 32 == 0 && thread / 32 < kPairBlocks) barrier_arrive_at(memory.empty(stage), thread / 32);
}

/**
 * Writes 64 x 256 results as 16-bit numbers, 16 bytes of a row at a time. `row` is that of sum[0], `column` the tile's
 * first.
 */
template <NumberFormat format>
GPUMARK_DEVICE void wgmma_write_16_bits(const float (&sum)[kWgmmaSums], const TensorMapGemmArgs& args, u32 row,
                                        u32 column, u32 lane) {
  auto* c = static_cast<unsigned short*>(args.c);
#pragma unroll
  for (u32 half = 0; half < 2; ++half) {
    const u32 down = row + 8 * half;
    WordPair* to = reinterpret_cast<WordPair*>(c + (static_cast<u64>(down) * args.n + column)) + lane % 4;
#pragma unroll
    for (u32 group = 0; group < kPairTileN / 32; ++group) {
      u32 words[4];
#pragma unroll
      for (u32 i = 0; i < 4; ++i)
        words[i] = pair_of_16_bits<format>(sum[16 * group + 4 * i + 2 * half], sum[16 * group + 4 * i + 2 * half + 1]);
      transpose_quad(words, lane);
      const bool inside = down < args.m && column + 32 * group + lane % 4 * 8 < args.n;
      if (inside) to[4 * group] = pair_of<WordPair>(u64{words[1]} << 32 | words[0], u64{words[3]} << 32 | words[2]);
    }
  }
}

struct alignas(8) FloatWordPair {
  float x, y;
};

/** The same as fp32, 8 bytes at a time: four neighbours fill a sector. */
GPUMARK_DEVICE void wgmma_write_fp32(const float (&sum)[kWgmmaSums], const TensorMapGemmArgs& args, u32 row, u32 column,
                                     u32 lane) {
  auto* c = static_cast<float*>(args.c);
#pragma unroll
  for (u32 half = 0; half < 2; ++half) {
    const u32 down = row + 8 * half;
    FloatWordPair* to = reinterpret_cast<FloatWordPair*>(c + (static_cast<u64>(down) * args.n + column)) + lane % 4;
#pragma unroll
    for (u32 i = 0; i < kPairTileN / 8; ++i) {
      if (down < args.m && column + 8 * i < args.n) to[4 * i] = {sum[4 * i + 2 * half], sum[4 * i + 2 * half + 1]};
    }
  }
}

/** One tile's worth of multiplications: group after group, the last one always under way. */
template <class Product>
GPUMARK_DEVICE void wgmma_multiply(float (&sum)[kWgmmaSums], u32 k, PairMemory memory, u32 warpgroup, u32 thread,
                                   PairStage& stage, bool& patient) {
  u32 before = 0;
  for (u32 done = 0; done < k; done += Product::kDepth) {
    // After a wait in vain: on with whatever is there, all threads alike.
    patient = patient && barrier_wait(memory.full(stage.number), stage.parity);
    const u64 a = wgmma_tile(memory.a(stage.number) + warpgroup * kWgmmaRows * kPairTileBytes),
              b = wgmma_tile(memory.b(stage.number));
    wgmma_begin();
#pragma unroll
    for (u32 at = 0; at < kPairTileBytes; at += kStepBytes)
      wgmma<Product::input>(sum, wgmma_tile_at(a, at), wgmma_tile_at(b, at), done + at);
    wgmma_end();
    wgmma_wait<1>(sum);
    if (done) wgmma_release(memory, before, thread);
    before = stage.number;
    stage.next();
  }
  wgmma_wait<0>(sum);
  wgmma_release(memory, before, thread);
}

template <class Product>
GPUMARK_DEVICE void wgmma_consume(const TensorMapGemmArgs& args, PairMemory memory, u32 rank) {
  const PairWork work = pair_work(args);
  const u32 warpgroup = same_in_warp(thread_index() / 128), thread = thread_index() % 128, lane = thread % 32;
  PairStage stage;
  bool patient = true;
  float sum[kWgmmaSums];
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    const PairPlace place = pair_place(work, pair);
    const u32 row = place.row + rank * kPairTileM + warpgroup * kWgmmaRows + thread / 32 * 16 + lane / 4;
    wgmma_multiply<Product>(sum, args.k, memory, warpgroup, thread, stage, patient);
    if constexpr (Product::output == NumberFormat::fp32)
      wgmma_write_fp32(sum, args, row, place.column, lane);
    else
      wgmma_write_16_bits<Product::output>(sum, args, row, place.column, lane);
  }
}

template <class Product>
GPUMARK_DEVICE void wgmma_gemm(const TensorMapGemmArgs& args) {
  const PairMemory memory = {shared_address(dynamic_shared())};
  const u32 rank = cluster_rank();
  if (thread_index() == 0) {
    for (u32 stage = 0; stage < kPairStages; ++stage) {
      barrier_begin(memory.full(stage), 1);
      // Two warpgroups of each block.
      barrier_begin(memory.empty(stage), 2 * kPairBlocks);
    }
    barriers_visible();
  }
  cluster_barrier();
  if (thread_index() >= 256) {
    give_registers<kCopyingRegisters>();
    if (thread_index() == 256) {
      prefetch_map(args.a);
      prefetch_map(args.b);
      copy_pairs<Product::kDepth>(args, memory, rank);
    }
  } else {
    take_registers<kMultiplyingRegisters>();
    wgmma_consume<Product>(args, memory, rank);
  }
  // The other block may still write to this one's memory and arrive at its barriers.
  cluster_barrier();
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_WGMMA_KERNEL(name) extern "C" void name(const gpumark::device::TensorMapGemmArgs args)
#else
#define GPUMARK_WGMMA_KERNEL(name)                                                                   \
  extern "C" __global__ void __cluster_dims__(gpumark::device::kPairBlocks, 1, 1) __launch_bounds__( \
      gpumark::device::kWgmmaThreads, 1) name(const __grid_constant__ gpumark::device::TensorMapGemmArgs args)
#endif
#define GPUMARK_WGMMA_DEFINE(name, input, output)                                                                \
  GPUMARK_WGMMA_KERNEL(name) {                                                                                   \
    gpumark::device::wgmma_gemm<                                                                                 \
        gpumark::device::PairProduct<gpumark::device::MatrixInput::input, gpumark::NumberFormat::output>>(args); \
  }

GPUMARK_WGMMA_DEFINE(gpumark_wgmma_fp16_128x256, fp16, fp16)
GPUMARK_WGMMA_DEFINE(gpumark_wgmma_bf16_128x256, bf16, bf16)
GPUMARK_WGMMA_DEFINE(gpumark_wgmma_mixed_128x256, fp16, fp32)
GPUMARK_WGMMA_DEFINE(gpumark_wgmma_tf32_128x256, tf32, fp32)
/**
 * Its sums are the tensor core's own, of about 14 bits: the throughput that everybody states for fp8 (cuBLASLt: fast
 * accumulation).
 */
GPUMARK_WGMMA_DEFINE(gpumark_wgmma_fp8_128x256, e4m3, bf16)
