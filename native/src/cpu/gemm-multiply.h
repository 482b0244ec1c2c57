// C = A * B for square row-major matrices: packed, blocked for the caches, register-tiled, on all workers.
#pragma once
#include <cstddef>

#include "cpu/gemm-types.h"
#include "cpu/kernels/kernel-set.h"
#include "cpu/thread-pool.h"

namespace gpumark {

/** n is a multiple of kernel->mr, nr and a_group; the loops have no edge cases because the benchmark chooses n. */
struct GemmBlocking {
  const GemmKernel* kernel;
  std::size_t n;
  /** Elements between rows of A, B and C: n plus padding, so that rows do not map to the same cache sets. */
  std::size_t ld;
  /** k depth of a packed panel, rows of A per task, columns of B packed at once, columns of C per task. */
  std::size_t kc;
  std::size_t mc;
  std::size_t nc;
  std::size_t task_columns;
};

template <class Input, class Sum>
struct GemmOperands {
  const Input* a;
  const Input* b;
  Sum* sums;
  /** The product in a 16-bit type, by kernel->convert; null if the sums are the product. */
  std::uint16_t* converted;
  Input* workspace;
};

/** Elements of workspace that multiply needs (two buffers each for packed A and B). */
std::size_t gemm_workspace_elements(const GemmBlocking& blocking);

/** Seconds of one multiplication, packing and conversion of the output included. */
template <class Input, class Sum>
double multiply(ThreadPool& pool, const GemmBlocking& blocking, const GemmOperands<Input, Sum>& operands);

extern template double multiply<float, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<float, float>&);
extern template double multiply<double, double>(ThreadPool&, const GemmBlocking&, const GemmOperands<double, double>&);
extern template double multiply<Bf16, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<Bf16, float>&);
extern template double multiply<Half, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<Half, float>&);

}  // namespace gpumark
