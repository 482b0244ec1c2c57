// The products on WMMA: RDNA 3 (gfx1100, gfx1101) and RDNA 4 (gfx1200, gfx1201), whose lanes hold other parts of the
// matrices, hence two names. No GPU has run these yet; where they run, each is compared with an fp64-grade product
// before it is offered.
#pragma once
#include "amd-gemm.h"
#include "wmma-ops.h"

#if GPUMARK_SIMULATED || defined(__GFX11__) || defined(__GFX12__)
namespace gpumark::device {

/** Eight waves of 64 x 64 results; 48 KiB of local memory, two blocks per work group processor: four waves per SIMD. */
template <class Op, class Out>
using WmmaLarge = AmdShape<Op, Out, 64, 4, 2, 4, 4>;

}  // namespace gpumark::device

#define GPUMARK_WMMA_PRODUCT(name, element_bytes, Op, Out)                             \
  GPUMARK_AMD_PRODUCT(name, __attribute__((amdgpu_waves_per_eu(4, 4))), element_bytes, \
                      WmmaLarge<gpumark::device::Op, gpumark::device::Out>)

#if GPUMARK_SIMULATED || defined(__GFX11__)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_fp16_256x128_gfx11, 2, WmmaFp16Gfx11, AsFp16)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_bf16_256x128_gfx11, 2, WmmaBf16Gfx11, AsBf16)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_mixed_256x128_gfx11, 2, WmmaFp16Gfx11, AsFp32)
#endif
#if GPUMARK_SIMULATED || defined(__GFX12__)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_fp16_256x128_gfx12, 2, WmmaFp16Gfx12, AsFp16)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_bf16_256x128_gfx12, 2, WmmaBf16Gfx12, AsBf16)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_mixed_256x128_gfx12, 2, WmmaFp16Gfx12, AsFp32)
GPUMARK_WMMA_PRODUCT(gpumark_wmma_fp8_256x128_gfx12, 1, WmmaFp8Gfx12, AsBf16)
#endif
#endif
