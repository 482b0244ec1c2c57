// C = A * B for square row-major matrices: packed, blocked for the caches, register-tiled, on all workers.
#pragma once
#include <cstddef>

#include "cpu/kernels/kernel-set.h"
#include "cpu/thread-pool.h"

namespace gpumark {

/** n is a multiple of kernel->mr and kernel->nr; the loops have no edge cases because the benchmark chooses n. */
struct GemmBlocking {
  const GemmKernel* kernel;
  std::size_t n;
  /** Elements between rows of A, B and C: n plus a little, so that rows do not fall into the same cache sets. */
  std::size_t ld;
  /** k depth of a packed panel, rows of A per task, columns of B packed at once, columns of C per task. */
  std::size_t kc;
  std::size_t mc;
  std::size_t nc;
  std::size_t task_columns;
};

/** Elements of workspace that multiply needs (two buffers each for packed A and B). */
std::size_t gemm_workspace_elements(const GemmBlocking& blocking);

/** Seconds of one multiplication, packing included. T is float or double. */
template <class T>
double multiply(ThreadPool& pool, const GemmBlocking& blocking, const T* a, const T* b, T* c, T* workspace);

extern template double multiply<float>(ThreadPool&, const GemmBlocking&, const float*, const float*, float*, float*);
extern template double multiply<double>(ThreadPool&, const GemmBlocking&, const double*, const double*, double*, double*);

}  // namespace gpumark
