// The products on MFMA: CDNA 2 (gfx90a), 3 (gfx942) and 4 (gfx950). Each image has the kernels of the instructions it
// knows. No GPU has run these yet; where they run, each is compared with an fp64-grade product before it is offered.
#pragma once
#include "amd-gemm.h"
#include "mfma-ops.h"
#include "mfma-scaled.h"

#if GPUMARK_SIMULATED || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
namespace gpumark::device {

/**
 * Eight waves of 128 x 64 results, two per SIMD, of which one multiplies while the other waits. 64 KiB of local memory
 * with rows of 64.
 */
template <class Op, class Out, u32 row_bytes>
using MfmaLarge = AmdShape<Op, Out, row_bytes, 2, 4, 4, 2>;
/**
 * Four waves, for sizes that large tiles divide badly among the compute units; gfx950 has room for two blocks at a
 * time.
 */
template <class Op, class Out>
using MfmaNarrow = AmdShape<Op, Out, 64, 2, 2, 4, 2>;
/** Four waves of 64 x 64, two blocks per compute unit. */
using MfmaDouble = AmdShape<MfmaFp64, AsFp64, 64, 2, 2, 4, 4>;

}  // namespace gpumark::device

/** `waves` per SIMD at least: 512 / waves registers for each. */
#define GPUMARK_MFMA_PRODUCT(name, waves, element_bytes, ...) \
  GPUMARK_AMD_PRODUCT(name, __attribute__((amdgpu_waves_per_eu(waves, 2))), element_bytes, __VA_ARGS__)

/** Both shapes of one type. */
#define GPUMARK_MFMA_PRODUCTS(type, suffix, element_bytes, Op, Out, row_bytes)          \
  GPUMARK_MFMA_PRODUCT(gpumark_mfma_##type##_256x256##suffix, 2, element_bytes,         \
                       MfmaLarge<gpumark::device::Op, gpumark::device::Out, row_bytes>) \
  GPUMARK_MFMA_PRODUCT(gpumark_mfma_##type##_256x128##suffix, 1, element_bytes,         \
                       MfmaNarrow<gpumark::device::Op, gpumark::device::Out>)

GPUMARK_MFMA_PRODUCT(gpumark_mfma_fp64_128x128, 2, 8, MfmaDouble)
GPUMARK_MFMA_PRODUCTS(fp32, , 4, MfmaFp32, AsFp32, 64)
#if GPUMARK_SIMULATED || !defined(__gfx950__)
GPUMARK_MFMA_PRODUCTS(fp16, , 2, MfmaFp16, AsFp16, 64)
GPUMARK_MFMA_PRODUCTS(bf16, , 2, MfmaBf16, AsBf16, 64)
GPUMARK_MFMA_PRODUCTS(mixed, , 2, MfmaFp16, AsFp32, 64)
#endif
#if GPUMARK_SIMULATED || defined(__gfx942__)
GPUMARK_MFMA_PRODUCTS(fp8fnuz, , 1, MfmaFp8Fnuz, AsBf16, 64)
GPUMARK_MFMA_PRODUCTS(tf32, , 4, MfmaTf32, AsFp32, 64)
#endif
#if GPUMARK_SIMULATED || defined(__gfx950__)
GPUMARK_MFMA_PRODUCTS(fp16, _gfx950, 2, MfmaFp16Deep, AsFp16, 128)
GPUMARK_MFMA_PRODUCTS(bf16, _gfx950, 2, MfmaBf16Deep, AsBf16, 128)
GPUMARK_MFMA_PRODUCTS(mixed, _gfx950, 2, MfmaFp16Deep, AsFp32, 128)
// k need not be a multiple of 128 here, and one instruction takes all of a row of 64: hence three buffers.
GPUMARK_MFMA_PRODUCT(gpumark_mfma_fp8_256x256_gfx950, 2, 1,
                     AmdShape<gpumark::device::MfmaFp8, gpumark::device::AsBf16, 64, 2, 4, 4, 2, 3>)
GPUMARK_MFMA_PRODUCT(gpumark_mfma_fp8_256x128_gfx950, 1, 1,
                     MfmaNarrow<gpumark::device::MfmaFp8, gpumark::device::AsBf16>)
#endif
#endif
