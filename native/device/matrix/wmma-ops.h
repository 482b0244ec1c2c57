// WMMA, the matrix instructions of RDNA 3 (gfx11) and RDNA 4 (gfx12), in wave32: 16 x 16 results in fp32 from 16 k. See
// mfma-ops.h.
#pragma once
#include "amd-wave.h"
#if GPUMARK_SIMULATED
#include "wmma-simulated.h"
#endif

#if GPUMARK_SIMULATED || defined(__GFX11__) || defined(__GFX12__)
namespace gpumark::device {

#if GPUMARK_AMD
typedef float WmmaSum __attribute__((ext_vector_type(8)));
typedef _Float16 WmmaHalves __attribute__((ext_vector_type(8)));
typedef short WmmaBf16s __attribute__((ext_vector_type(8)));
typedef _Float16 WmmaHalvesRow __attribute__((ext_vector_type(16)));
typedef short WmmaBf16sRow __attribute__((ext_vector_type(16)));
typedef int WmmaBytes __attribute__((ext_vector_type(2)));

template <class Row>
GPUMARK_DEVICE Row wmma_row(const Chunk (&chunks)[2]) {
  return __builtin_bit_cast(Row, __builtin_shufflevector(chunks[0], chunks[1], 0, 1, 2, 3, 4, 5, 6, 7));
}
#endif

struct WmmaGfx11 {
  static constexpr u32 kWave = 32, kEdge = 16, kChunks = 2, kStepChunks = 2, kInstructions = 1, kRun = 1, kSums = 8;
  /** Four waves per SIMD hide each other's reads; registers for two sets of operands there are not. */
  static constexpr bool kAhead = false;
  typedef WmmaSum Sum;
  GPUMARK_DEVICE u32 chunk(u32, u32 i) { return i; }
  GPUMARK_DEVICE u32 result_row(u32 lane, u32 i) { return 2 * i + lane / 16; }
};

struct WmmaGfx12 {
  static constexpr u32 kWave = 32, kEdge = 16, kChunks = 1, kStepChunks = 2, kInstructions = 1, kRun = 8, kSums = 8;
  static constexpr bool kAhead = false;
  typedef WmmaSum Sum;
  GPUMARK_DEVICE u32 chunk(u32 lane, u32) { return lane / 16; }
  GPUMARK_DEVICE u32 result_row(u32 lane, u32 i) { return 8 * (lane / 16) + i; }
};

#if GPUMARK_SIMULATED || defined(__GFX11__)
struct WmmaFp16Gfx11 : WmmaGfx11 {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(wmma_row<WmmaHalvesRow>(a), wmma_row<WmmaHalvesRow>(b), sum);
#else
    simulate_unit<WmmaTableGfx11<UnitNumber::fp16> >(sum, a, b, part);
#endif
  }
};

struct WmmaBf16Gfx11 : WmmaGfx11 {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(wmma_row<WmmaBf16sRow>(a), wmma_row<WmmaBf16sRow>(b), sum);
#else
    simulate_unit<WmmaTableGfx11<UnitNumber::bf16> >(sum, a, b, part);
#endif
  }
};
#endif

#if GPUMARK_SIMULATED || defined(__GFX12__)
struct WmmaFp16Gfx12 : WmmaGfx12 {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(__builtin_bit_cast(WmmaHalves, a[0]),
                                                           __builtin_bit_cast(WmmaHalves, b[0]), sum);
#else
    simulate_unit<WmmaTableGfx12<UnitNumber::fp16> >(sum, a, b, part);
#endif
  }
};

struct WmmaBf16Gfx12 : WmmaGfx12 {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(__builtin_bit_cast(WmmaBf16s, a[0]),
                                                            __builtin_bit_cast(WmmaBf16s, b[0]), sum);
#else
    simulate_unit<WmmaTableGfx12<UnitNumber::bf16> >(sum, a, b, part);
#endif
  }
};

/** e4m3 as OCP has it; 8 bytes of a lane at a time. */
struct WmmaFp8Gfx12 : WmmaGfx12 {
  static constexpr u32 kInstructions = 2;
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    const WmmaBytes left = part ? WmmaBytes{static_cast<int>(a[0].z), static_cast<int>(a[0].w)}
                                : WmmaBytes{static_cast<int>(a[0].x), static_cast<int>(a[0].y)};
    const WmmaBytes right = part ? WmmaBytes{static_cast<int>(b[0].z), static_cast<int>(b[0].w)}
                                 : WmmaBytes{static_cast<int>(b[0].x), static_cast<int>(b[0].y)};
    sum = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(left, right, sum);
#else
    simulate_unit<WmmaTableGfx12<UnitNumber::e4m3> >(sum, a, b, part);
#endif
  }
};
#endif

}  // namespace gpumark::device
#endif
