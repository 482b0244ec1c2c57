// Which kernels are tried for each kind of matrix product on this processor, and why there are none for a kind.
#pragma once
#include <string>
#include <vector>

#include "cpu/features.h"
#include "cpu/gemm-types.h"
#include "cpu/kernels/kernel-set.h"
#include "registry/benchmarks.h"

namespace gpumark {

/**
 * Share of one benchmark's time per product. The quick tier's 3.5 s are more than a sustained figure needs; in the
 * longer tiers CPUs with 16-bit instructions divide among three 16-bit figures the time that others do not spend at
 * all.
 */
constexpr double share_of_product(Tier tier, bool has_16_bits) {
  return tier == Tier::quick ? 0.8 : has_16_bits ? 0.5 : 1;
}

/** All kernels of one list, which ends with a null name. */
std::vector<const GemmKernel*> kernels_of(const GemmKernel* list);

/**
 * Kernels for bf16 inputs, or fp16 inputs for Half; sums in fp32. Empty if the processor or the kernel does not support
 * the instructions.
 */
template <class Input>
std::vector<const GemmKernel*> candidates_16bit(const CpuFeatures& features);

/** Why candidates_16bit is empty: a sentence that names what is missing. */
template <class Input>
std::string why_no_candidates(const CpuFeatures& features);

/**
 * Plain C++ kernels in the layouts of the real ones, named portable-...: they exercise packing, blocking, conversion
 * and verification on every machine. For the self-test and the tests only; never timed for a figure.
 */
template <class Input>
std::vector<const GemmKernel*> portable_stand_ins();

}  // namespace gpumark
