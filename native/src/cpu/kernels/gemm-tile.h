// The register tile of the blocked GEMM, once for every instruction set: Step holds its vector types and what one step
// does. Everything here is in an anonymous namespace so that each file keeps the copy compiled with its own flags.
#pragma once
#include <cstddef>

#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

/**
 * Elements T in vectors of `Bytes` bytes, one k per step; written as multiply and add, which the flags let the compiler
 * fuse.
 */
template <class T, int Bytes>
struct MultiplyAdd {
  typedef T V __attribute__((vector_size(Bytes), may_alias, aligned(Bytes)));
  using Group = T;
  using Row = V;
  using Sum = T;
  using Sums = V;
  static V spread(T factor) { return factor - V{}; }
  static void add(V& sums, V factor, V row) { sums += factor * row; }
};

/**
 * MR rows x NV vectors of C in registers; per step one load per vector of b and one broadcast per row of a. A group is
 * what one row or column gives to one step. Prefetched are C, which is touched only at the end, and `next_b`.
 * Prefetching a, which streams from L2, measured no gain on Zen 3.
 */
template <class Step, int MR, int NV>
void gemm_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc,
               int accumulate, const void* next_b) {
  using Group = typename Step::Group;
  using Row = typename Step::Row;
  using Sum = typename Step::Sum;
  using Sums = typename Step::Sums;
  constexpr int kLanes = sizeof(Row) / sizeof(Group);
  const Group* a = static_cast<const Group*>(packed_a);
  const Group* b = static_cast<const Group*>(packed_b);
  const Group* next = static_cast<const Group*>(next_b);
  Sum* c = static_cast<Sum*>(c_start);
  for (int i = 0; i < MR; ++i) __builtin_prefetch(c + static_cast<std::size_t>(i) * ldc, 1);
  Sums acc[MR][NV] = {};
#pragma GCC unroll 4
  for (std::size_t p = 0; p < steps; ++p) {
    Row row[NV];
#pragma GCC unroll 8
    for (int j = 0; j < NV; ++j) row[j] = *reinterpret_cast<const Row*>(b + j * kLanes);
    __builtin_prefetch(next, 0, 2);
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) {
      const Row factor = Step::spread(a[i]);
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) Step::add(acc[i][j], factor, row[j]);
    }
    a += MR;
    b += NV * kLanes;
    next += NV * kLanes;
  }
#pragma GCC unroll 16
  for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < NV; ++j) {
      Sums* out = reinterpret_cast<Sums*>(c + static_cast<std::size_t>(i) * ldc + static_cast<std::size_t>(j) * kLanes);
      *out = accumulate ? *out + acc[i][j] : acc[i][j];
    }
  }
}

}  // namespace
}  // namespace gpumark
