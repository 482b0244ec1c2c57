// Verifies a product: every element against a second computation on the ordinary lanes, some against the host's
// float64, and a repetition bit for bit.
#pragma once
#include "gpu/gemm/gemm-data.h"
#include "gpu/gemm/gemm-engine.h"

namespace gpumark {

/** |error| <= absolute + relative * |value| for every element. */
struct GemmBound {
  double absolute = 0;
  double relative = 0;
};

/**
 * For near-normal inputs of variance 1, of which sums of k products have the variance k and sums of their magnitudes S
 * = 2k/pi. Added up:
 *
 * - Roundings of an fp32 accumulator: 6 * 2^-24 * sqrt(k) * S, six times what independent roundings give (Higham and
 *   Mary, SIAM J. Sci. Comput. 41(5), 2019); fp64 likewise with 2^-53. Units that truncate instead of rounding stay
 *   within it because they add 4 to 32 products at a time.
 *
 * - tf32 and xf32: inputs with 10 bits of fraction, off by up to 2^-10: 6 * 2^-10 * sqrt(k) more, and 2 * 2^-10 of the
 *   value.
 *
 * - fp8: the accumulators of Hopper keep about 14 bits (DeepSeek-V3 report, section 3.3): 2^-13 of a partial sum (twice
 *   its deviation, 2 sqrt(k)) for each of the k / 32 instructions.
 *
 * - Block-scaled: near-normal numbers times scales of 1/2, 1 and 2, or of 0.5 to 1.875 (block-scales.h): their products
 *   have a variance of 1.75^2 at most, hence twice the deviation, and with it twice the sum of magnitudes, and the same
 *   allowance as fp8.
 *
 * - The output's own rounding: one unit in its last place.
 */
GemmBound gemm_bound(GemmType type, unsigned k);

struct GemmProof {
  bool right = false;
  bool repeats = false;
  JsonObject details;
  /** What is wrong, for people; empty if nothing is. */
  std::string what;
};

/**
 * Computes set 0 twice and verifies it. `benchmark` lets the tests' fault-injecting build corrupt the product. @throws
 * GpuError
 */
GemmProof prove_product(GpuRun& run, GemmCandidate& candidate, const GemmData& data, const char* benchmark);

}  // namespace gpumark
