// Values of cuBLASLt's enumerations, which are part of its ABI and the same in 11, 12 and 13. Each was read in two
// public copies or more: cublasLt.h of CUDA 11.6 and of 12.6, and NVIDIA's own bindings for 12 and 13 (nvmath-python,
// bindings.cublasLt); data types also in library_types.h of CUDA 13.0.
#pragma once
#include <cstdint>

namespace gpumark::cublaslt {

/** cublasStatus_t (cublas_api.h) */
constexpr int kSuccess = 0;
constexpr int kNotInitialized = 1;
constexpr int kAllocationFailed = 3;
constexpr int kInvalidValue = 7;
constexpr int kArchitectureMismatch = 8;
constexpr int kMappingError = 11;
constexpr int kExecutionFailed = 13;
constexpr int kInternalError = 14;
constexpr int kNotSupported = 15;
constexpr int kLicenseError = 16;

/** cudaDataType_t (library_types.h); fp8 came with CUDA 11.8. */
constexpr int kReal32 = 0;
constexpr int kReal64 = 1;
constexpr int kReal16 = 2;
constexpr int kBrain16 = 14;
constexpr int kReal8E4M3 = 28;
/** CUDA 12.8. */
constexpr int kReal4E2M1 = 33;

/** cublasComputeType_t (cublas_api.h) */
constexpr int kCompute32 = 68;
constexpr int kCompute64 = 70;
constexpr int kCompute32FastTf32 = 77;

/** cublasOperation_t (cublas_api.h) */
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kTransposed = 1;

/** cublasLtMatmulDescAttributes_t: values of 32 bits, the last one of 8 and from 11.8 on. */
constexpr int kTransposeA = 3;
constexpr int kTransposeB = 4;
constexpr int kFastAccumulation = 25;
/** Device addresses of scales; modes of 32 bits, cublasLtMatmulMatrixScale_t, which came with CUDA 12.8. */
constexpr int kScalePointerA = 17;
constexpr int kScalePointerB = 18;
constexpr int kScaleModeA = 31;
constexpr int kScaleModeB = 32;
constexpr int kScaleVec16Ue4m3 = 1;
constexpr int kScaleVec32Ue8m0 = 2;

/** cublasLtMatmulPreferenceAttributes_t: a value of 64 bits. */
constexpr int kMaxWorkspace = 1;

/** libraryPropertyType (library_types.h) */
constexpr int kMajorVersion = 0;
constexpr int kMinorVersion = 1;
constexpr int kPatchLevel = 2;

/** cublasLtMatmulAlgoConfigAttributes_t: 32 bits, inner shape and cluster 16 bits and from 12 on. */
constexpr int kConfigId = 0;
constexpr int kConfigTile = 1;
constexpr int kConfigSplitK = 2;
constexpr int kConfigReduction = 3;
constexpr int kConfigSwizzling = 4;
constexpr int kConfigCustomOption = 5;
constexpr int kConfigStages = 6;
constexpr int kConfigInnerShape = 7;
constexpr int kConfigCluster = 8;

/** cublasLtMatmulAlgoCapAttributes_t: 64 bits, the flags below. */
constexpr int kCapabilityNumerics = 15;

/** CUBLASLT_NUMERICAL_IMPL_FLAGS_*: which instructions an algorithm multiplies with. */
constexpr std::uint64_t kUsesFma = 0x01;
constexpr std::uint64_t kUsesHmma = 0x02;
constexpr std::uint64_t kUsesImma = 0x04;
constexpr std::uint64_t kUsesDmma = 0x08;
constexpr std::uint64_t kInstructionMask = 0xff;
/** The input type of A and B. */
constexpr std::uint64_t kInputTf32 = 0x04ull << 16;
constexpr std::uint64_t kInput32 = 0x08ull << 16;
constexpr std::uint64_t kInputMask = 0xffull << 16;

}  // namespace gpumark::cublaslt
