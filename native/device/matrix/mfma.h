// The products on MFMA: CDNA 2 (gfx90a), 3 (gfx942) and 4 (gfx950). Each image has the kernels of the types its instructions know.
// No GPU has run these yet; where they run, each is compared with an fp64-grade product before it is offered.
#pragma once
#include "amd-gemm.h"
#include "mfma-ops.h"

#if GPUMARK_SIMULATED || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
namespace gpumark::device {

/** gfx950 has 160 KiB of local memory, the others 64: rows of its tiles are twice as long where k is a whole number of them. */
#if defined(__gfx950__)
constexpr u32 kMfmaRow = 128;
#else
constexpr u32 kMfmaRow = 64;
#endif

/** Eight waves of 128 x 64 results, two per SIMD, of which one multiplies while the other waits. */
template <class Op, class Out, u32 row>
using MfmaLarge = AmdShape<Op, Out, row, 2, 4, 4, 2>;
/** Half the tile, for sizes that large tiles divide badly among the compute units. */
template <class Op, class Out>
using MfmaNarrow = AmdShape<Op, Out, 64, 2, 2, 4, 2>;
/** Four waves of 64 x 64, two blocks per compute unit. */
using MfmaDouble = AmdShape<MfmaFp64, AsFp64, 64, 2, 2, 4, 4>;

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_MFMA_KERNEL(name, threads, waves) extern "C" void name(const gpumark::device::GemmArgs args)
#else
/** `waves` per SIMD: the compiler has 512 / waves registers for each. */
#define GPUMARK_MFMA_KERNEL(name, threads, waves)                                                                    \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads), amdgpu_waves_per_eu(waves, waves))) void name( \
      const gpumark::device::GemmArgs args)
#endif

#define GPUMARK_MFMA_PRODUCT(name, waves, element_bytes, ...)                         \
  GPUMARK_MFMA_KERNEL(name, (gpumark::device::__VA_ARGS__::kThreads), waves) {        \
    using Shape = gpumark::device::__VA_ARGS__;                                       \
    GPUMARK_SHARED(gpumark::device::AmdBuffers<Shape>, buffers);                      \
    gpumark::device::amd_gemm<Shape>(args, buffers, element_bytes);                   \
  }

/** Both shapes of one type. */
#define GPUMARK_MFMA_PRODUCTS(type, element_bytes, Op, Out, row)                                                                            \
  GPUMARK_MFMA_PRODUCT(gpumark_mfma_##type##_256x256, 2, element_bytes, MfmaLarge<gpumark::device::Op, gpumark::device::Out, row>) \
  GPUMARK_MFMA_PRODUCT(gpumark_mfma_##type##_256x128, 1, element_bytes, MfmaNarrow<gpumark::device::Op, gpumark::device::Out>)

GPUMARK_MFMA_PRODUCTS(fp16, 2, MfmaFp16, AsFp16, gpumark::device::kMfmaRow)
GPUMARK_MFMA_PRODUCTS(bf16, 2, MfmaBf16, AsBf16, gpumark::device::kMfmaRow)
GPUMARK_MFMA_PRODUCTS(mixed, 2, MfmaFp16, AsFp32, gpumark::device::kMfmaRow)
GPUMARK_MFMA_PRODUCT(gpumark_mfma_fp64_128x128, 2, 8, MfmaDouble)
#if GPUMARK_SIMULATED || defined(__gfx942__)
GPUMARK_MFMA_PRODUCTS(fp8fnuz, 1, MfmaFp8Fnuz, AsBf16, 64)
GPUMARK_MFMA_PRODUCTS(tf32, 4, MfmaTf32, AsFp32, 64)
#endif
#if GPUMARK_SIMULATED || defined(__gfx950__)
GPUMARK_MFMA_PRODUCTS(fp8, 1, MfmaFp8, AsBf16, 64)
#endif
#endif
