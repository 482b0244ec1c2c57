// The few calls of the vendors' matrix libraries that are used, declared here and resolved by dlsym: cuBLASLt 11-13 and
// hipBLASLt 0.1-1.x. The two interfaces agree for this subset: handles are pointers, enumerations and statuses int, 0 =
// success.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gpu/driver-table.h"

namespace gpumark {

/** X(member, "Create" of cublasLtCreate and hipblasLtCreate, parameters). A library that lacks one is not used. */
#define GPUMARK_BLAS_CALLS(X)                                                                                         \
  X(create, "Create", (Handle * library))                                                                             \
  X(destroy, "Destroy", (Handle library))                                                                             \
  X(operation_create, "MatmulDescCreate", (Handle * operation, int compute_type, int scale_type))                     \
  X(operation_set, "MatmulDescSetAttribute", (Handle operation, int attribute, const void* value, std::size_t bytes)) \
  X(operation_destroy, "MatmulDescDestroy", (Handle operation))                                                       \
  X(layout_create, "MatrixLayoutCreate",                                                                              \
    (Handle * layout, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading_dimension))           \
  X(layout_destroy, "MatrixLayoutDestroy", (Handle layout))                                                           \
  X(preference_create, "MatmulPreferenceCreate", (Handle * preference))                                               \
  X(preference_set, "MatmulPreferenceSetAttribute",                                                                   \
    (Handle preference, int attribute, const void* value, std::size_t bytes))                                         \
  X(preference_destroy, "MatmulPreferenceDestroy", (Handle preference))                                               \
  X(heuristics, "MatmulAlgoGetHeuristic",                                                                             \
    (Handle library, Handle operation, Handle a, Handle b, Handle c, Handle d, Handle preference, int wanted,         \
     void* results, int* returned))                                                                                   \
  X(multiply, "Matmul",                                                                                               \
    (Handle library, Handle operation, const void* alpha, DevicePointer a, Handle a_layout, DevicePointer b,          \
     Handle b_layout, const void* beta, DevicePointer c, Handle c_layout, DevicePointer d, Handle d_layout,           \
     const void* algorithm, DevicePointer workspace, std::size_t workspace_bytes, Handle stream))

struct VendorBlasTable {
#define GPUMARK_MEMBER(member, name, parameters) int(*member) parameters = nullptr;
  GPUMARK_BLAS_CALLS(GPUMARK_MEMBER)
#undef GPUMARK_MEMBER
};

/** Calls that only cuBLASLt has: its version by component, and an algorithm's parameters. */
struct CublasLtCalls {
  int (*property)(int property, int* value) = nullptr;
  int (*algorithm_config)(const void* algorithm, int attribute, void* value, std::size_t bytes,
                          std::size_t* written) = nullptr;
  int (*algorithm_capability)(const void* algorithm, int attribute, void* value, std::size_t bytes,
                              std::size_t* written) = nullptr;
};

/** Null before hipBLASLt 0.3, whose interface the first releases share. */
using HipblasLtVersion = int (*)(Handle library, int* version);

/** One proposal of the library. The algorithm is opaque, and is passed back unchanged. */
template <std::size_t algorithm_bytes>
struct HeuristicRecord {
  unsigned char algorithm[algorithm_bytes];
  std::size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
/** cublasLt.h of CUDA 11.6, 12.6: cublasLtMatmulAlgo_t is uint64_t[8]. */
using CublasLtRecord = HeuristicRecord<64>;
/** hipblaslt.h of ROCm 6 and 7: hipblasLtMatmulAlgo_t is uint8_t[16] and a size_t. */
using HipblasLtRecord = HeuristicRecord<24>;
/** hipblaslt.h of its first releases (ROCm 5): uint32_t and a size_t. */
using HipblasLtEarlyRecord = HeuristicRecord<16>;
static_assert(sizeof(CublasLtRecord) == 96 && sizeof(HipblasLtRecord) == 56 && sizeof(HipblasLtEarlyRecord) == 48,
              "as the libraries lay them out on a 64-bit system");
static_assert(offsetof(CublasLtRecord, status) == 72 && offsetof(HipblasLtRecord, status) == 32,
              "status follows the workspace's size");

}  // namespace gpumark
