// The register tile of the blocked GEMM, once for every instruction set: V is a vector type as wide as the registers.
// Everything here is in an anonymous namespace so that each file keeps the copy compiled with its own flags.
#pragma once
#include <cstddef>

#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

/**
 * MR rows x NV vectors of C in registers; per step one load per vector of b and one broadcast per row of a. Prefetched are
 * C, which is touched only at the end, and `next_b`. Prefetching a, which streams from L2, measured no gain on Zen 3.
 */
template <class T, class V, int MR, int NV>
void gemm_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc, int accumulate, const void* next_b) {
  constexpr int kLanes = sizeof(V) / sizeof(T);
  const T* a = static_cast<const T*>(packed_a);
  const T* b = static_cast<const T*>(packed_b);
  const T* next = static_cast<const T*>(next_b);
  T* c = static_cast<T*>(c_start);
  for (int i = 0; i < MR; ++i) __builtin_prefetch(c + static_cast<std::size_t>(i) * ldc, 1);
  V acc[MR][NV] = {};
#pragma GCC unroll 4
  for (std::size_t p = 0; p < steps; ++p) {
    V row[NV];
#pragma GCC unroll 8
    for (int j = 0; j < NV; ++j) row[j] = *reinterpret_cast<const V*>(b + j * kLanes);
    __builtin_prefetch(next, 0, 2);
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) {
      const V factor = a[i] - V{};
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) acc[i][j] += factor * row[j];
    }
    a += MR;
    b += NV * kLanes;
    next += NV * kLanes;
  }
#pragma GCC unroll 16
  for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < NV; ++j) {
      V* out = reinterpret_cast<V*>(c + static_cast<std::size_t>(i) * ldc + static_cast<std::size_t>(j) * kLanes);
      *out = accumulate ? *out + acc[i][j] : acc[i][j];
    }
  }
}

}  // namespace
}  // namespace gpumark
