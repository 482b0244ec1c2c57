// The products on block-scaled MFMA: gfx950. V_MFMA_SCALE_F32_32X32X64_F8F6F4 (CDNA 4 instruction set): 32 x 32 results
// from 64 numbers along k of each row of A and of B, of which each 32 have a scale. Lane l gives the scale of row l %
// 32 for the k of l / 32 * 32 to + 31, in the lowest byte.
#pragma once
#include "../block-scales.h"
#include "amd-gemm.h"
#include "mfma-ops.h"

#if GPUMARK_SIMULATED || defined(__gfx950__)
#if GPUMARK_SIMULATED
#include "mfma-simulated-scaled.h"
#endif
namespace gpumark::device {

/**
 * e4m3. The numbers of a lane are 16 bytes and those 32 bytes further on: not those that its scale is for, which is
 * another lane's matter.
 */
struct MfmaMxFp8 : MfmaFp8 {
  static constexpr NumberFormat kFormat = NumberFormat::mxfp8_rows;
  GPUMARK_DEVICE void multiply_scaled(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 scale_a,
                                      u32 scale_b) {
#if GPUMARK_AMD
    const EightWords left = __builtin_bit_cast(EightWords, __builtin_shufflevector(a[0], a[1], 0, 1, 2, 3, 4, 5, 6, 7));
    const EightWords right =
        __builtin_bit_cast(EightWords, __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 4, 5, 6, 7));
    sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(left, right, sum, 0, 0, 0, static_cast<int>(scale_a), 0,
                                                          static_cast<int>(scale_b));
#else
    simulate_scaled_unit<8>(sum, a, b, scale_a, scale_b);
#endif
  }
};

/** E2M1: a lane gives 16 bytes, 32 numbers. */
struct MfmaMxFp4 : MfmaWide {
  static constexpr u32 kInstructions = 1;
  static constexpr NumberFormat kFormat = NumberFormat::mxfp4_rows;
  GPUMARK_DEVICE void multiply_scaled(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 scale_a,
                                      u32 scale_b) {
#if GPUMARK_AMD
    const EightWords left = {static_cast<int>(a[0].x),
                             static_cast<int>(a[0].y),
                             static_cast<int>(a[0].z),
                             static_cast<int>(a[0].w),
                             0,
                             0,
                             0,
                             0};
    const EightWords right = {static_cast<int>(b[0].x),
                              static_cast<int>(b[0].y),
                              static_cast<int>(b[0].z),
                              static_cast<int>(b[0].w),
                              0,
                              0,
                              0,
                              0};
    // Format 4 is E2M1.
    sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(left, right, sum, 4, 4, 0, static_cast<int>(scale_a), 0,
                                                          static_cast<int>(scale_b));
#else
    simulate_scaled_unit<4>(sum, a, b, scale_a, scale_b);
#endif
  }
};

/** The scales of a wave's rows or columns, straight from memory. */
struct AmdScales {
  const unsigned char* from;
  u32 line, last, blocks;
  /** Of row `line` + `further`, or the last one; `step` counts instructions along k. */
  GPUMARK_MEMBER u32 at(u32 further, u32 step, u32 half) const {
    const u32 row = line + further < last ? line + further : last;
    return from[static_cast<u64>(row) * blocks + 2 * step + half];
  }
};

/** Those of one stage. */
template <class S>
struct AmdStageScales {
  u32 a[S::kSteps][S::kDown], b[S::kSteps][S::kAcross];
  GPUMARK_MEMBER void load(const AmdScales& of_a, const AmdScales& of_b, u32 stage, u32 lane) {
#pragma unroll
    for (u32 step = 0; step < S::kSteps; ++step) {
#pragma unroll
      for (u32 i = 0; i < S::kDown; ++i) a[step][i] = of_a.at(i * S::Op::kEdge, stage * S::kSteps + step, lane / 32);
#pragma unroll
      for (u32 j = 0; j < S::kAcross; ++j) b[step][j] = of_b.at(j * S::Op::kEdge, stage * S::kSteps + step, lane / 32);
    }
  }
};

/** As amd_gemm with its plain stages; scales come a stage ahead. */
template <class S>
GPUMARK_DEVICE void amd_scaled_gemm(const GemmArgs& args, AmdBuffers<S>& buffers) {
  using Op = typename S::Op;
  constexpr u32 kBand = 1024 / S::kTileM;
  const u32 stride = is_four_bits(Op::kFormat) ? args.k / 2 : args.k, stages = stride / S::kRowBytes;
  const u32 down = (args.m + S::kTileM - 1) / S::kTileM, across = (args.n + S::kTileN - 1) / S::kTileN;
  const AmdTile tile = amd_tile<kBand>(place_in_chiplets(block_index(), down * across), down, across);
  const u32 wave = uniform(thread_index() / Op::kWave), lane = thread_index() % Op::kWave;
  const AmdPart part = amd_part<S>(wave);
  const AmdScales scales_a = {static_cast<const unsigned char*>(args.a) + scales_begin(Op::kFormat, args.m, args.k),
                              tile.row * S::kTileM + part.row + lane % Op::kEdge, args.m - 1, args.k / 32};
  const AmdScales scales_b = {static_cast<const unsigned char*>(args.b) + scales_begin(Op::kFormat, args.n, args.k),
                              tile.column * S::kTileN + part.column + lane % Op::kEdge, args.n - 1, args.k / 32};
  AmdCopy<S> copy = amd_copy<S>(args, tile, stride);
  AmdSums<S> sums = {};
#pragma unroll
  for (u32 i = 0; i < S::kCopies; ++i) amd_load(copy, i);
  amd_advance(copy, stages > 1);
  amd_pass_on(copy, buffers.at[0], 0, S::kCopies);
  amd_advance(copy, stages > 2);
  local_barrier(S::kThreads);
  AmdStageScales<S> scales;
  scales.load(scales_a, scales_b, 0, lane);
  for (u32 stage = 0; stage < stages; ++stage) {
    AmdStageScales<S> next;
#pragma unroll
    for (u32 step = 0; step < S::kSteps; ++step) {
      AmdOperands<S> operands;
      amd_read(operands, buffers.at[stage % 2], step, part.row, part.column, lane);
      if (step == 0) {
        amd_pass_on(copy, buffers.at[stage % 2 ^ 1], 0, S::kCopies);
        // Behind the stage's copies, and a stage ahead as they are: to wait for a load is to wait for all before it.
        next.load(scales_a, scales_b, stage + 1 < stages ? stage + 1 : stage, lane);
      }
      // B goes first, as in amd_multiply.
#pragma unroll
      for (u32 i = 0; i < S::kDown; ++i) {
#pragma unroll
        for (u32 j = 0; j < S::kAcross; ++j)
          Op::multiply_scaled(sums.at[i][j], operands.b[j], operands.a[i], scales.b[step][j], scales.a[step][i]);
      }
    }
    amd_advance(copy, stage + 3 < stages);
    local_barrier(S::kThreads);
    scales = next;
  }
  Chunk* strip = &buffers.at[0][0] + wave * AmdStrip<Op, typename S::Out>::kChunks;
  amd_write<S>(args, sums, strip, tile.row * S::kTileM + part.row, tile.column * S::kTileN + part.column, lane);
}

}  // namespace gpumark::device

#define GPUMARK_MFMA_SCALED(name, Op_)                                                                      \
  GPUMARK_AMD_KERNEL(name, __attribute__((amdgpu_waves_per_eu(1, 2))), 256) {                               \
    using Shape = gpumark::device::AmdShape<gpumark::device::Op_, gpumark::device::AsBf16, 64, 2, 2, 4, 2>; \
    GPUMARK_SHARED(gpumark::device::AmdBuffers<Shape>, buffers);                                            \
    gpumark::device::amd_scaled_gemm<Shape>(args, buffers);                                                 \
  }
GPUMARK_MFMA_SCALED(gpumark_mfma_mxfp4_256x128_gfx950, MfmaMxFp4)
GPUMARK_MFMA_SCALED(gpumark_mfma_mxfp8_256x128_gfx950, MfmaMxFp8)
#endif
