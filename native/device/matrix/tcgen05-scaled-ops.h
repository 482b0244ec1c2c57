// Data-centre Blackwell's block-scaled multiplications: as tcgen05-ops.h has them, with scales that lie in tensor
// memory beside the sums. PTX manual, "tcgen05.mma", "Block Scaling", "tcgen05.cp"; compare CUTLASS'
// mma_sm100_desc.hpp.
#pragma once
#include "tcgen05-ops.h"
#if GPUMARK_SIMULATED
#include "tcgen05-simulated-scaled.h"
#endif

namespace gpumark::device {

/** Scales of 128 rows and 4 blocks each, as block-scales.h lays them out: four columns of tensor memory. */
constexpr u32 kScaleTileBytes = 512, kScaleTileColumns = 4;

/** 32 rows of 16 bytes without a swizzle, 8 of which follow each other: 128 bytes from one 8 rows to the next. */
GPUMARK_DEVICE u64 scale_tile(u32 address) { return u64{1} << 46 | u64{128 >> 4} << 32 | (address & 0x3ffff) >> 4; }

/**
 * Starts a copy of a tile of scales to four columns, the same in each warp's part. One thread; multiplications that it
 * starts later come behind it, those that it started before need not.
 */
GPUMARK_DEVICE void copy_scales(u32 columns, u64 tile) {
#if GPUMARK_SIMULATED
  simulated::copy_scales(columns, tile);
#else
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(columns), "l"(tile) : "memory");
#endif
}

/**
 * Bits 7-9 and 10-12: the numbers, 0 is E4M3 of mxf8f6f4, 1 is E2M1 of the other kinds; 17-22: columns / 8, 23: scales
 * of UE8M0, 27-28: rows / 128. 4-5 and 29-30: the first byte of B's and A's scales in their words.
 */
template <NumberFormat format>
GPUMARK_DEVICE constexpr u32 scaled_product(u32 byte) {
  constexpr u32 type = format == NumberFormat::mxfp8 ? 0 : 1u << 7 | 1u << 10;
  return type | kTensorTileN / 8 << 17 | (format == NumberFormat::nvfp4 ? 0 : 1u << 23) | kTensorRows / 128 << 27 |
         byte << 4 | byte << 29;
}

/** Starts sums = A * B^T (+ sums, where `adds` is not 0) of 32 bytes of k; `byte` of 4 is where its scales begin. */
template <NumberFormat format>
GPUMARK_DEVICE void tensor_multiply_scaled(u32 sums, u64 a, u64 b, u32 byte, u32 scales_a, u32 scales_b, u32 adds) {
#if GPUMARK_SIMULATED
  constexpr auto kind = format == NumberFormat::nvfp4   ? simulated::ScaledKind::nvfp4
                        : format == NumberFormat::mxfp4 ? simulated::ScaledKind::mxfp4
                                                        : simulated::ScaledKind::mxfp8;
  simulated::tensor_multiply_scaled(sums, a, b, scaled_product<format>(byte), kind, scales_a, scales_b, adds);
#else
#define GPUMARK_TENSOR_MULTIPLY_SCALED(kind)                                                               \
  asm volatile("{\n\t.reg .pred adds;\n\tsetp.ne.b32 adds, %6, 0;\n\ttcgen05.mma.cta_group::1.kind::" kind \
               " [%0], %1, %2, %3, [%4], [%5], adds;\n\t}" ::"r"(sums),                                    \
               "l"(a), "l"(b), "r"(scaled_product<format>(byte)), "r"(scales_a), "r"(scales_b), "r"(adds)  \
               : "memory")
  if constexpr (format == NumberFormat::nvfp4)
    GPUMARK_TENSOR_MULTIPLY_SCALED("mxf4nvf4.block_scale.scale_vec::4X");
  else if constexpr (format == NumberFormat::mxfp4)
    GPUMARK_TENSOR_MULTIPLY_SCALED("mxf4.block_scale.scale_vec::2X");
  else
    GPUMARK_TENSOR_MULTIPLY_SCALED("mxf8f6f4.block_scale.scale_vec::1X");
#endif
}

}  // namespace gpumark::device
