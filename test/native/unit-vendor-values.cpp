// Our numbers of the vendors' enumerations against their own headers, at compile time and where those are: the unit
// tests are built without them, vendor-values.test.ts compiles this file with the folders of an installed CUDA or ROCm.
#include "gpu/gemm/cublaslt-values.h"
#include "gpu/gemm/hipblaslt-values.h"
#include "gpu/gemm/vendor-blas-table.h"

#if __has_include(<library_types.h>)
#include <library_types.h>
#pragma message("compared with library_types.h")
namespace gpumark::cublaslt {
static_assert(kReal32 == CUDA_R_32F && kReal64 == CUDA_R_64F && kReal16 == CUDA_R_16F && kBrain16 == CUDA_R_16BF &&
              kReal8E4M3 == CUDA_R_8F_E4M3);
static_assert(kMajorVersion == MAJOR_VERSION && kMinorVersion == MINOR_VERSION && kPatchLevel == PATCH_LEVEL);
}  // namespace gpumark::cublaslt
#endif

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#pragma message("compared with cublasLt.h")
namespace gpumark::cublaslt {
static_assert(kSuccess == CUBLAS_STATUS_SUCCESS && kNotInitialized == CUBLAS_STATUS_NOT_INITIALIZED &&
              kAllocationFailed == CUBLAS_STATUS_ALLOC_FAILED);
static_assert(kInvalidValue == CUBLAS_STATUS_INVALID_VALUE && kArchitectureMismatch == CUBLAS_STATUS_ARCH_MISMATCH &&
              kMappingError == CUBLAS_STATUS_MAPPING_ERROR);
static_assert(kExecutionFailed == CUBLAS_STATUS_EXECUTION_FAILED && kInternalError == CUBLAS_STATUS_INTERNAL_ERROR &&
              kNotSupported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(kLicenseError == CUBLAS_STATUS_LICENSE_ERROR);
static_assert(kCompute32 == CUBLAS_COMPUTE_32F && kCompute64 == CUBLAS_COMPUTE_64F &&
              kCompute32FastTf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(kPlain == CUBLAS_OP_N && kTransposed == CUBLAS_OP_T &&
              kMaxWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(kTransposeA == CUBLASLT_MATMUL_DESC_TRANSA && kTransposeB == CUBLASLT_MATMUL_DESC_TRANSB &&
              kFastAccumulation == CUBLASLT_MATMUL_DESC_FAST_ACCUM);
static_assert(kConfigId == CUBLASLT_ALGO_CONFIG_ID && kConfigTile == CUBLASLT_ALGO_CONFIG_TILE_ID &&
              kConfigSplitK == CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
static_assert(kConfigReduction == CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME &&
              kConfigSwizzling == CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING);
static_assert(kConfigCustomOption == CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION &&
              kConfigStages == CUBLASLT_ALGO_CONFIG_STAGES_ID);
static_assert(kConfigInnerShape == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID &&
              kConfigCluster == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
static_assert(kCapabilityNumerics == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS &&
              kInstructionMask == CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_TYPE_MASK);
static_assert(kUsesFma == CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA && kUsesHmma == CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA);
static_assert(kUsesImma == CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA && kUsesDmma == CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA);
static_assert(sizeof(CublasLtRecord) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(CublasLtRecord, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(offsetof(CublasLtRecord, workspace_bytes) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(CublasLtRecord, waves) == offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));
}  // namespace gpumark::cublaslt
#endif

#if __has_include(<hipblaslt/hipblaslt.h>)
#include <hipblaslt/hipblaslt.h>
#pragma message("compared with hipblaslt.h")
namespace gpumark::hipblaslt {
static_assert(kSuccess == HIPBLAS_STATUS_SUCCESS && kNotInitialized == HIPBLAS_STATUS_NOT_INITIALIZED &&
              kAllocationFailed == HIPBLAS_STATUS_ALLOC_FAILED);
static_assert(kInvalidValue == HIPBLAS_STATUS_INVALID_VALUE && kMappingError == HIPBLAS_STATUS_MAPPING_ERROR &&
              kExecutionFailed == HIPBLAS_STATUS_EXECUTION_FAILED);
static_assert(kInternalError == HIPBLAS_STATUS_INTERNAL_ERROR && kNotSupported == HIPBLAS_STATUS_NOT_SUPPORTED &&
              kArchitectureMismatch == HIPBLAS_STATUS_ARCH_MISMATCH);
static_assert(kNullHandle == HIPBLAS_STATUS_HANDLE_IS_NULLPTR && kInvalidEnum == HIPBLAS_STATUS_INVALID_ENUM &&
              kUnknown == HIPBLAS_STATUS_UNKNOWN);
static_assert(kReal32 == HIP_R_32F && kReal64 == HIP_R_64F && kReal16 == HIP_R_16F && kBrain16 == HIP_R_16BF &&
              kReal8E4M3Fnuz == HIP_R_8F_E4M3_FNUZ);
#if HIP_VERSION_MAJOR > 6 || (HIP_VERSION_MAJOR == 6 && HIP_VERSION_MINOR >= 3)
static_assert(kReal8E4M3 == HIP_R_8F_E4M3);
#endif
static_assert(kCompute32 == HIPBLAS_COMPUTE_32F && kCompute32FastTf32 == HIPBLAS_COMPUTE_32F_FAST_TF32 &&
              kCompute64 == HIPBLAS_COMPUTE_64F);
static_assert(kPlain == HIPBLAS_OP_N && kTransposed == HIPBLAS_OP_T &&
              kMaxWorkspace == HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(kTransposeA == HIPBLASLT_MATMUL_DESC_TRANSA && kTransposeB == HIPBLASLT_MATMUL_DESC_TRANSB);
static_assert(sizeof(HipblasLtRecord) == sizeof(hipblasLtMatmulHeuristicResult_t) &&
              offsetof(HipblasLtRecord, status) == offsetof(hipblasLtMatmulHeuristicResult_t, state));
}  // namespace gpumark::hipblaslt
#endif
