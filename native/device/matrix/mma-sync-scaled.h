// Block-scaled products of a warp by mma.sync (sm_120a and 121a): 16 x 8 numbers from 16 x 32 bytes of A and 8 x 32
// bytes of B, in the lanes as those of 8 bits are, and their scales. PTX manual, "mma.sync" with .block_scale; compare
// CUTLASS' SM120 traits for the lanes of scales.
#pragma once
#include "../block-scales.h"
#include "mma-sync-loop.h"
#include "mma-sync-write.h"
#if GPUMARK_SIMULATED
#include "mma-sync-simulated-scaled.h"
#endif

#if GPUMARK_SIMULATED || defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define GPUMARK_HAS_SCALED_MMA 1
namespace gpumark::device::mma_sync {

#if !GPUMARK_SIMULATED
#define GPUMARK_MMA_SCALED(kind_and_shape)                                                             \
  asm("mma.sync.aligned." kind_and_shape                                                               \
      " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, {%10}, {0, 0}, {%11}, {0, 0};" \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                         \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(scale_a), "r"(scale_b))
#endif

/**
 * Inputs whose row of 32 bytes has kScales scales, bf16 out. A lane gives the scales of one row or column, the first in
 * the lowest byte.
 */
struct ScaledNvFp4 : Brain {
  static constexpr u32 kInputBytes = 1;
  static constexpr NumberFormat kFormat = NumberFormat::nvfp4;
  typedef u32 Scales;
  GPUMARK_MEMBER static void multiply_scaled(float (&sum)[4], const u32 (&a)[4], const u32* b, u32 scale_a,
                                             u32 scale_b) {
#if GPUMARK_SIMULATED
    simulated::multiply_scaled<simulated::ScaledUnit::nvfp4>(sum, a, b, scale_a, scale_b);
#else
    GPUMARK_MMA_SCALED("m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3");
#endif
  }
};
struct ScaledMxFp4 : Brain {
  static constexpr u32 kInputBytes = 1;
  static constexpr NumberFormat kFormat = NumberFormat::mxfp4;
  typedef unsigned short Scales;
  GPUMARK_MEMBER static void multiply_scaled(float (&sum)[4], const u32 (&a)[4], const u32* b, u32 scale_a,
                                             u32 scale_b) {
#if GPUMARK_SIMULATED
    simulated::multiply_scaled<simulated::ScaledUnit::mxfp4>(sum, a, b, scale_a, scale_b);
#else
    GPUMARK_MMA_SCALED("m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0");
#endif
  }
};
struct ScaledMxFp8 : Brain {
  static constexpr u32 kInputBytes = 1;
  static constexpr NumberFormat kFormat = NumberFormat::mxfp8;
  typedef unsigned char Scales;
  GPUMARK_MEMBER static void multiply_scaled(float (&sum)[4], const u32 (&a)[4], const u32* b, u32 scale_a,
                                             u32 scale_b) {
#if GPUMARK_SIMULATED
    simulated::multiply_scaled<simulated::ScaledUnit::mxfp8>(sum, a, b, scale_a, scale_b);
#else
    GPUMARK_MMA_SCALED("m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0");
#endif
  }
};

/**
 * The scales come straight from memory, a step ahead of their products as the fragments do: 12 loads for 32 products.
 * All lanes of a quad but one, of A two, load what the instruction does not look at; which is no dearer than leaving
 * them out.
 */
template <class S>
struct ScaledProduct : WarpProduct<S> {
  using Numbers = typename S::Numbers;
  using Scales = typename Numbers::Scales;
  using WarpProduct<S>::kDown;
  using WarpProduct<S>::kAcross;
  /** Scales of a step: as many as Scales has bytes. */
  static constexpr u32 kScales = sizeof(Scales);
  const unsigned char* of_scales_a;
  const unsigned char* of_scales_b;
  u32 next_step, last_step;
  Scales scale_a[2][kDown], scale_b[2][kAcross];

  GPUMARK_MEMBER ScaledProduct(const GemmArgs& args, Tile tile) {
    const u32 warp = thread_index() / 32, lane = thread_index() % 32,
              tiles_along = (args.k / scaled_block(Numbers::kFormat) + 3) / 4;
    const u32 row = tile.row + warp / S::kWarpsAcross * kWarpRows + lane / 4 + lane % 2 * 8;
    const u32 column = tile.column + warp % S::kWarpsAcross * kWarpColumns + lane / 4;
    // Of a tile that is wider than the rest of B: the last scales there are, for columns that are not written.
    const u32 last = (args.n - 1) / 128, across = column / 128 < last ? column / 128 : last;
    of_scales_a = static_cast<const unsigned char*>(args.a) + scales_begin(Numbers::kFormat, args.m, args.k) +
                  static_cast<u64>(row / 128) * tiles_along * 512 + row % 32 * 16 + row % 128 / 32 * 4;
    of_scales_b = static_cast<const unsigned char*>(args.b) + scales_begin(Numbers::kFormat, args.n, args.k) +
                  static_cast<u64>(across) * tiles_along * 512 + column % 32 * 16 + column % 128 / 32 * 4;
    next_step = 0;
    last_step = args.k / scaled_block(Numbers::kFormat) / kScales - 1;
  }

  /** Rows 16 i further on in the same tile of scales; a warp's 64 rows begin at a multiple of 64. */
  GPUMARK_MEMBER void load(u32 into, u32 stage, u32 step) {
    WarpProduct<S>::load(into, stage, step);
    // After the last step this reads what is not used.
    const u32 at = next_step < last_step ? next_step : last_step, block = at * kScales,
              from = block / 4 * 512 + block % 4;
    ++next_step;
#pragma unroll
    for (u32 i = 0; i < kDown; ++i)
      scale_a[into][i] = *reinterpret_cast<const Scales*>(of_scales_a + from + i % 2 * 256 + i / 2 * 4);
#pragma unroll
    for (u32 j = 0; j < kAcross; ++j)
      scale_b[into][j] = *reinterpret_cast<const Scales*>(of_scales_b + from + j % 4 * 128 + j / 4 * 4);
  }

  GPUMARK_MEMBER void prepare(u32) {}
  GPUMARK_MEMBER void multiply(u32 which) {
#pragma unroll
    for (u32 i = 0; i < kDown; ++i) {
#pragma unroll
      for (u32 j = 0; j < kAcross; ++j) {
        const u32 column = i % 2 ? kAcross - 1 - j : j;
        Numbers::multiply_scaled(this->sum[i][column], this->a[which][i], this->b[which][column / 2] + column % 2 * 2,
                                 scale_a[which][i], scale_b[which][column]);
      }
    }
  }
};

/** Numbers of 4 bits are copied as the bytes that hold two of them. */
template <class S>
GPUMARK_DEVICE void scaled_gemm(const GemmArgs& args) {
  const Tile tile = tile_of<S>(block_index(), args);
  ScaledProduct<S> product(args, tile);
  GemmArgs bytes = args;
  if (is_four_bits(S::Numbers::kFormat)) bytes.k = args.k / 2;
  multiply_all<S>(product, bytes, tile);
  write_product<S>(product, args, tile);
}

}  // namespace gpumark::device::mma_sync
#endif
