// Blocking of a GEMM from the cache sizes of this machine.
#pragma once
#include "cpu/cpu-context.h"
#include "cpu/gemm-multiply.h"

namespace gpumark {

/** Blocking for one kernel and size from the cache sizes; depth is the k extent of a packed panel. */
GemmBlocking plan_blocking(const Topology& topology, int threads, const GemmKernel& kernel, std::size_t n, std::size_t depth, std::size_t element_bytes);

/** Smallest multiple of the kernel's tile that is >= n. */
std::size_t round_to_tile(const GemmKernel& kernel, std::size_t n);

/** Bytes that A, B, C and the workspace take together. */
std::uint64_t gemm_bytes(const GemmBlocking& blocking, std::size_t element_bytes);

}  // namespace gpumark
