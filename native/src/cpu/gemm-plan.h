// Blocking of a GEMM from the cache sizes of this machine.
#pragma once
#include "cpu/cpu-context.h"
#include "cpu/gemm-multiply.h"

namespace gpumark {

/** Blocking for one kernel and size from the cache sizes; depth is about the k extent of a packed panel. */
GemmBlocking plan_blocking(const Topology& topology, int threads, const GemmKernel& kernel, std::size_t n,
                           std::size_t depth, std::size_t input_bytes);

/** Smallest multiple of the kernel's tile, and of the ks it takes at once, that is >= n. */
std::size_t round_to_tile(const GemmKernel& kernel, std::size_t n);

/** Bytes that A, B, the sums, the converted output and the workspace take together. */
template <class Types>
std::uint64_t gemm_bytes(const GemmBlocking& g) {
  const std::size_t per_element = 2 * sizeof(typename Types::Input) + sizeof(typename Types::Sum) +
                                  (Types::kConverts ? sizeof(typename Types::Output) : 0);
  return g.n * g.ld * per_element + gemm_workspace_elements(g) * sizeof(typename Types::Input);
}

}  // namespace gpumark
