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
 * Of the time for one benchmark. The quick tier's holds the seconds of load that a card at its power cap needs, and a
 * processor does not; three figures of 16 bits share what one without these instructions does not spend at all.
 */
constexpr double share_of_product(Tier tier, bool has_16_bits) {
  return (tier == Tier::quick ? 0.6 : 1) * (has_16_bits ? 0.5 : 1);
}

/** Of one list that ends with a null name. */
std::vector<const GemmKernel*> kernels_of(const GemmKernel* list);

/**
 * bf16 inputs, or fp16 inputs for Half; sums in fp32. Empty if the processor or the system does not offer the
 * instructions.
 */
template <class Input>
std::vector<const GemmKernel*> candidates_16bit(const CpuFeatures& features);

/** A sentence that names what is missing; for an empty candidates_16bit. */
template <class Input>
std::string why_no_candidates(const CpuFeatures& features);

/**
 * Plain C++ in the layouts of the real kernels, named portable-...: packing, blocking, conversion and verification run
 * by real arithmetic on every machine. Only the self-test and the tests run them; no figure comes from them.
 */
template <class Input>
std::vector<const GemmKernel*> portable_stand_ins();

}  // namespace gpumark
