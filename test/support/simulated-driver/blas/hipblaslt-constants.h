// hipBLASLt's constants, deliberately defined a second time here, so that a mistake in the runner is not repeated in
// the simulation. From hipblaslt.h of ROCm 7 and of late 2023, hip/library_types.h, and hipblas-common.h.
#pragma once

namespace gpumark::sim::blas {

enum HipblasStatus {
  HIPBLAS_STATUS_SUCCESS = 0,
  HIPBLAS_STATUS_NOT_INITIALIZED = 1,
  HIPBLAS_STATUS_INVALID_VALUE = 3,
  HIPBLAS_STATUS_EXECUTION_FAILED = 5,
  HIPBLAS_STATUS_NOT_SUPPORTED = 7,
};
enum HipDataType {
  HIP_R_32F = 0,
  HIP_R_64F = 1,
  HIP_R_16F = 2,
  HIP_R_16BF = 14,
  HIP_R_8F_E4M3 = 28,
  HIP_R_4F_E2M1 = 33,
  HIP_R_8F_E4M3_FNUZ = 1000
};
enum HipblasComputeType { HIPBLAS_COMPUTE_32F = 2, HIPBLAS_COMPUTE_32F_FAST_TF32 = 6, HIPBLAS_COMPUTE_64F = 7 };
/** Used before the library adopted HIP's data types. */
enum HipblasltDatatype {
  HIPBLASLT_R_16F = 150,
  HIPBLASLT_R_32F = 151,
  HIPBLASLT_R_64F = 152,
  HIPBLASLT_R_16B = 168,
  HIPBLASLT_R_8F_E4M3 = 170
};
enum HipblasLtComputeType {
  HIPBLASLT_COMPUTE_F32 = 300,
  HIPBLASLT_COMPUTE_F32_FAST_XF32 = 301,
  HIPBLASLT_COMPUTE_F64 = 302
};
enum HipblasOperation { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112 };
enum HipblasLtMatmulDescAttribute {
  HIPBLASLT_MATMUL_DESC_TRANSA = 0,
  HIPBLASLT_MATMUL_DESC_TRANSB = 1,
  HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER = 5,
  HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER = 6,
  HIPBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
  HIPBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
};
enum HipblasLtMatmulPreferenceAttribute { HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };

}  // namespace gpumark::sim::blas
