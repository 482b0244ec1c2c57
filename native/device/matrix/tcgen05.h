// Matrix products on data-centre Blackwell. Two blocks share copies of B as on Hopper (tile-pairs.h); in each block one
// thread copies, one starts multiplications whose sums lie in tensor memory, and four warps write what is finished.
// Tensor memory holds two tiles of sums, so that one is written while the other grows. Never run on hardware so far:
// there, each product is proved before it is offered.
#pragma once
#include "quad-ops.h"
#include "tcgen05-ops.h"
#include "tile-pairs.h"

namespace gpumark::device {

static_assert(kPairTileM == kTensorRows && kPairTileN == kTensorTileN);
/** Four warps write, one copies, one multiplies. */
constexpr u32 kTensorThreads = 192, kTensorWriters = 128, kTensorCopier = 128, kTensorMultiplier = 160;
/** Tiles of sums in tensor memory. */
constexpr u32 kTensorBuffers = kTensorColumns / kTensorTileN;

/** What lies behind the barriers of the stages. */
struct TensorBarriers {
  u32 base;
  /** Its phase ends when a tile of sums is finished. */
  GPUMARK_MEMBER u32 done(u32 buffer) const { return base + buffer * 8; }
  /** Its phase ends when all four warps have loaded the sums. */
  GPUMARK_MEMBER u32 free(u32 buffer) const { return done(buffer) + kTensorBuffers * 8; }
  /** Where the tensor memory begins. */
  GPUMARK_MEMBER u32 columns() const { return base + kTensorBuffers * 16; }
};

/** One or two tiles of sums, in turn. */
template <u32 buffers>
struct TensorBuffer {
  static_assert(buffers == 1 || buffers == 2);
  u32 number = 0, parity = 0;
  GPUMARK_MEMBER void next() {
    if constexpr (buffers == 2) number ^= 1;
    if (number == 0) parity ^= 1;
  }
};

/** One thread: multiplies what is copied, in both blocks' order of stages. */
template <class Product>
GPUMARK_DEVICE void tensor_produce(const TensorMapGemmArgs& args, PairMemory memory, TensorBarriers barriers,
                                   u32 columns) {
  const PairWork work = pair_work(args);
  PairStage stage;
  TensorBuffer<kTensorBuffers> buffer;
  // After a wait in vain: on with whatever is there.
  bool patient = true;
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    patient = patient && barrier_wait(barriers.free(buffer.number), buffer.parity ^ 1);
    after_hearing();
    const u32 sums = columns + buffer.number * kTensorTileN;
    for (u32 k = 0; k < args.k; k += Product::kDepth) {
      patient = patient && barrier_wait(memory.full(stage.number), stage.parity);
      after_hearing();
      const u64 a = tensor_tile(memory.a(stage.number)), b = tensor_tile(memory.b(stage.number));
#pragma unroll
      for (u32 at = 0; at < kPairTileBytes; at += kStepBytes)
        tensor_multiply<Product::input>(sums, tensor_tile_at(a, at), tensor_tile_at(b, at), k + at);
      // The stage is empty for both blocks' copies when both have read it.
      arrive_when_multiplied_at((1u << kPairBlocks) - 1, memory.empty(stage.number));
      stage.next();
    }
    arrive_when_multiplied(barriers.done(buffer.number));
    buffer.next();
  }
}

/** 32 results of one row, from `column` on. */
template <NumberFormat format>
GPUMARK_DEVICE void tensor_write(const u32 (&sum)[kTensorLoad], const TensorMapGemmArgs& args, u32 row, u32 column) {
  constexpr u32 kWide = format == NumberFormat::fp32 ? 4 : 8;
  const u64 first = static_cast<u64>(row) * args.n + column;
  WordPair* to = reinterpret_cast<WordPair*>(static_cast<unsigned char*>(args.c) + first * bytes_of(format));
#pragma unroll
  for (u32 i = 0; i < kTensorLoad; i += kWide) {
    u32 words[4];
#pragma unroll
    for (u32 j = 0; j < 4; ++j) {
      if constexpr (format == NumberFormat::fp32)
        words[j] = sum[i + j];
      else
        words[j] = pair_of_16_bits<format>(float_of_bits(sum[i + 2 * j]), float_of_bits(sum[i + 2 * j + 1]));
    }
    if (row < args.m && column + i < args.n)
      to[i / kWide] = pair_of<WordPair>(u64{words[1]} << 32 | words[0], u64{words[3]} << 32 | words[2]);
  }
}

/** Four warps: each writes the 32 rows whose sums it can load. */
template <class Product>
GPUMARK_DEVICE void tensor_consume(const TensorMapGemmArgs& args, TensorBarriers barriers, u32 columns, u32 rank) {
  const PairWork work = pair_work(args);
  const u32 warp = thread_index() / 32, lane = thread_index() % 32;
  TensorBuffer<Product::kBuffers> buffer;
  bool patient = true;
  for (u32 pair = work.cluster; pair < work.pairs(); pair += work.clusters) {
    const PairPlace place = pair_place(work, pair);
    patient = patient && barrier_wait(barriers.done(buffer.number), buffer.parity);
    after_hearing();
#pragma unroll 1
    for (u32 column = 0; column < kTensorTileN; column += kTensorLoad) {
      u32 sum[kTensorLoad];
      load_sums(columns + buffer.number * kTensorTileN + column + (32 * warp << 16), sum);
      wait_for_sums(sum);
      tensor_write<Product::output>(sum, args, place.row + rank * kPairTileM + 32 * warp + lane, place.column + column);
    }
    before_telling();
    if (lane == 0) barrier_arrive_at(barriers.free(buffer.number), rank);
    buffer.next();
  }
}

/** Whole numbers in whole tiles: the copies are Hopper's, and two tiles of sums fill the tensor memory. */
template <MatrixInput given, NumberFormat written>
struct TensorProduct : PairProduct<given, written> {
  using Pair = PairProduct<given, written>;
  static constexpr u32 kBuffers = kTensorBuffers;
  GPUMARK_MEMBER static void copy(const TensorMapGemmArgs& args, PairMemory memory, u32 rank) {
    copy_pairs<Pair::kDepth>(args, memory, rank);
  }
  GPUMARK_MEMBER static void produce(const TensorMapGemmArgs& args, PairMemory memory, TensorBarriers barriers,
                                     u32 columns) {
    tensor_produce<Pair>(args, memory, barriers, columns);
  }
};

template <class Product>
GPUMARK_DEVICE void tensor_gemm(const TensorMapGemmArgs& args) {
  const PairMemory memory = {shared_address(dynamic_shared())};
  const TensorBarriers barriers = {memory.empty(kPairStages)};
  const u32 rank = cluster_rank(), thread = thread_index();
  if (thread == 0) {
    for (u32 stage = 0; stage < kPairStages; ++stage) {
      barrier_begin(memory.full(stage), 1);
      barrier_begin(memory.empty(stage), kPairBlocks);
    }
    for (u32 buffer = 0; buffer < kTensorBuffers; ++buffer) {
      barrier_begin(barriers.done(buffer), 1);
      barrier_begin(barriers.free(buffer), kTensorWriters / 32);
    }
    barriers_visible();
  }
  if (thread / 32 == kTensorMultiplier / 32) take_tensor_memory(barriers.columns());
  before_telling();
  cluster_barrier();
  after_hearing();
  const u32 columns = shared_word(barriers.columns());
  if (thread < kTensorWriters) {
    tensor_consume<Product>(args, barriers, columns, rank);
  } else if (thread == kTensorCopier) {
    Product::copy(args, memory, rank);
  } else if (thread == kTensorMultiplier) {
    Product::produce(args, memory, barriers, columns);
  }
  // The other block may still write to this one's memory and arrive at its barriers; the warps may still load sums.
  before_telling();
  cluster_barrier();
  after_hearing();
  if (thread / 32 == kTensorMultiplier / 32) give_tensor_memory(columns);
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_TENSOR_KERNEL(name) extern "C" void name(const gpumark::device::TensorMapGemmArgs args)
#else
#define GPUMARK_TENSOR_KERNEL(name)                                                                  \
  extern "C" __global__ void __cluster_dims__(gpumark::device::kPairBlocks, 1, 1) __launch_bounds__( \
      gpumark::device::kTensorThreads, 1) name(const __grid_constant__ gpumark::device::TensorMapGemmArgs args)
#endif
#define GPUMARK_TENSOR_DEFINE(name, input, output)                                                                 \
  GPUMARK_TENSOR_KERNEL(name) {                                                                                    \
    gpumark::device::tensor_gemm<                                                                                  \
        gpumark::device::TensorProduct<gpumark::device::MatrixInput::input, gpumark::NumberFormat::output>>(args); \
  }

GPUMARK_TENSOR_DEFINE(gpumark_tcgen05_fp16_128x256, fp16, fp16)
GPUMARK_TENSOR_DEFINE(gpumark_tcgen05_bf16_128x256, bf16, bf16)
GPUMARK_TENSOR_DEFINE(gpumark_tcgen05_mixed_128x256, fp16, fp32)
GPUMARK_TENSOR_DEFINE(gpumark_tcgen05_tf32_128x256, tf32, fp32)
GPUMARK_TENSOR_DEFINE(gpumark_tcgen05_fp8_128x256, e4m3, bf16)
