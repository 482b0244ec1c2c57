#include "gpu/gemm/cublaslt-values.h"
#include "gpu/gemm/vendor-types.h"

namespace gpumark {

/**
 * fp32 asks for CUBLAS_COMPUTE_32F, what frameworks call with TF32 switched off: products and sums in fp32. The
 * pedantic variant adds nothing to that for real numbers and keeps fast kernels out; TF32 and emulated fp32 have
 * compute types of their own, and whether the library keeps to it is checked on each algorithm (vendor-algorithms.cpp).
 */
VendorNames cublaslt_names(GemmType type, const LibraryVersion& version) {
  using namespace cublaslt;
  switch (type) {
    case GemmType::fp32: return {{{kCompute32, kReal32, kReal32, kReal32}}, ""};
    case GemmType::fp64: return {{{kCompute64, kReal64, kReal64, kReal64, true}}, ""};
    case GemmType::tf32: return {{{kCompute32FastTf32, kReal32, kReal32, kReal32}}, ""};
    case GemmType::fp16: return {{{kCompute32, kReal32, kReal16, kReal16}}, ""};
    case GemmType::bf16: return {{{kCompute32, kReal32, kBrain16, kBrain16}}, ""};
    case GemmType::mixed: return {{{kCompute32, kReal32, kReal16, kReal32}}, ""};
    case GemmType::fp32_matrix:
      return {{}, "NVIDIA's matrix units round fp32 to 10 bits of mantissa (TF32); none keeps all of it"};
    case GemmType::fp8:
      if (version.before(11, 8)) return {{}, "cuBLASLt " + version.text() + " has no fp8, which came with 11.8"};
      // 16-bit output is what frameworks ask of fp8; scales that are not set count as 1.
      return {{{kCompute32, kReal32, kReal8E4M3, kBrain16, false, true}}, ""};
    case GemmType::mxfp4: return {{}, "cuBLASLt multiplies 4-bit numbers with the scales of NVFP4 alone"};
    case GemmType::nvfp4:
    case GemmType::mxfp8:
      if (version.before(12, 8))
        return {{}, "cuBLASLt " + version.text() + " has no block scales, which came with 12.8"};
      if (type == GemmType::nvfp4)
        return {{{kCompute32, kReal32, kReal4E2M1, kBrain16, false, false, kScaleVec16Ue4m3, NumberFormat::nvfp4}}, ""};
      return {{{kCompute32, kReal32, kReal8E4M3, kBrain16, false, false, kScaleVec32Ue8m0, NumberFormat::mxfp8}}, ""};
  }
  return {{}, "no such type"};
}

}  // namespace gpumark
