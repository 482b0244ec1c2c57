// cuBLASLt's numbers, written down here a second time and on purpose: what the runner has wrong must not be wrong here alike. Read from
// cublasLt.h and cublas_api.h of CUDA 12.6, data types from library_types.h of CUDA 13.0.
#pragma once

namespace gpumark::sim::blas {

enum CublasStatus {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};
enum CudaDataType { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28 };
enum CublasComputeType { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32F_FAST_TF32 = 77 };
enum CublasOperation { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum CublasLtMatmulDescAttribute { CUBLASLT_MATMUL_DESC_TRANSA = 3, CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25 };
enum CublasLtMatmulPreferenceAttribute { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };
enum CublasLtMatmulAlgoConfigAttribute {
  CUBLASLT_ALGO_CONFIG_ID = 0,
  CUBLASLT_ALGO_CONFIG_TILE_ID = 1,
  CUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
  CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
  CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
  CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
  CUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
  CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,
  CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8,
};
enum CublasLtMatmulAlgoCapAttribute { CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS = 15 };
enum LibraryPropertyType { MAJOR_VERSION = 0, MINOR_VERSION = 1, PATCH_LEVEL = 2 };

}  // namespace gpumark::sim::blas
