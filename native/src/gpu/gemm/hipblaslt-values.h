// Values of hipBLASLt's enumerations, which changed once: up to some builds of 0.6 (ROCm 6.0) it had types of its own,
// since then it uses those of HIP and hipBLAS. Each was read in two public copies or more: hipblaslt.h of the project's
// repository at several times between 2022 and 2025, hipblas-enums.h, hip/library_types.h, and bindings generated for
// ROCm 6.0 to 7.2.
#pragma once
#include <cstdint>

namespace gpumark::hipblaslt {

/** hipblasStatus_t */
constexpr int kSuccess = 0;
constexpr int kNotInitialized = 1;
constexpr int kAllocationFailed = 2;
constexpr int kInvalidValue = 3;
constexpr int kMappingError = 4;
constexpr int kExecutionFailed = 5;
constexpr int kInternalError = 6;
constexpr int kNotSupported = 7;
constexpr int kArchitectureMismatch = 8;
constexpr int kNullHandle = 9;
constexpr int kInvalidEnum = 10;
constexpr int kUnknown = 11;

/**
 * hipDataType: FNUZ numbers are the ones that gfx942 multiplies, E4M3 without a suffix the OCP format (ROCm 6.3 and
 * later).
 */
constexpr int kReal32 = 0;
constexpr int kReal64 = 1;
constexpr int kReal16 = 2;
constexpr int kBrain16 = 14;
constexpr int kReal8E4M3 = 28;
constexpr int kReal8E4M3Fnuz = 1000;
constexpr int kReal4E2M1 = 33;

/** hipblasComputeType_t */
constexpr int kCompute32 = 2;
constexpr int kCompute32FastTf32 = 6;
constexpr int kCompute64 = 7;

/** hipblasDatatype_t, hipblasltDatatype_t and hipblasLtComputeType_t: the library's own values before that change. */
namespace early {
constexpr int kReal16 = 150;
constexpr int kReal32 = 151;
constexpr int kReal64 = 152;
constexpr int kBrain16 = 168;
constexpr int kReal8E4M3Fnuz = 170;
constexpr int kCompute32 = 300;
constexpr int kCompute32FastXf32 = 301;
constexpr int kCompute64 = 302;
}  // namespace early

/** hipblasOperation_t */
constexpr std::int32_t kPlain = 111;
constexpr std::int32_t kTransposed = 112;

/** hipblasLtMatmulDescAttributes_t: values of 32 bits. */
constexpr int kTransposeA = 0;
constexpr int kTransposeB = 1;
/**
 * Device addresses of scales; modes of 32 bits (hipblasLtMatmulMatrixScale_t), with ROCm 7.0. Of modes for blocks only
 * this one is supported.
 */
constexpr int kScalePointerA = 5;
constexpr int kScalePointerB = 6;
constexpr int kScaleModeA = 31;
constexpr int kScaleModeB = 32;
constexpr int kScaleVec32Ue8m0 = 2;

/** hipblasLtMatmulPreferenceAttributes_t: a value of 64 bits. */
constexpr int kMaxWorkspace = 1;

/**
 * hipblasLtGetVersion: major * 100000 + minor * 100 + patch. 0.6 came with ROCm 6.0, 0.7 with 6.1, 0.10 with 6.3, 1.0
 * with 7.0.
 */
constexpr int version_number(int major, int minor) { return major * 100000 + minor * 100; }

}  // namespace gpumark::hipblaslt
