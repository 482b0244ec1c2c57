// Verifies a matrix product against float64 by three methods, each with an error bound derived from the inputs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "cpu/gemm-types.h"
#include "cpu/thread-pool.h"
#include "protocol/json-object.h"

namespace gpumark {

template <class Input, class Sum = Input>
struct Product {
  std::size_t n;
  std::size_t ld;
  const Input* a;
  const Input* b;
  /** The sums, before any conversion. */
  const Sum* c;
  /** Depth of one block of additions, for the error bound. */
  std::size_t kc;
  /**
   * Largest relative error of one addition: half a unit in the last place, a whole one if sums are rounded to odd.
   */
  double roundoff = static_cast<double>(std::numeric_limits<Sum>::epsilon()) / 2;
};

struct GemmVerdict {
  bool right = false;
  double worst_sampled_ratio = 0;
  double worst_checksum_ratio = 0;
  std::size_t sampled_rows = 0;
  /** Elements of a 16-bit output that are not their sum rounded to nearest even; nullopt if the sums are the output. */
  std::optional<std::size_t> wrong_conversions;
  JsonObject details() const;
};

/**
 * Samples: 8 rows and 8 columns (first and last among them) in float64, each element within gamma * (|A||B|), the worst
 * case of kc + n/kc roundings. Checksum over every element: C x against A (B x) for random signs x. Rounding errors
 * have independent signs there, so its bound is 16 standard deviations, which one wrong mantissa bit of one element
 * exceeds. Ratios are error over bound: right means at most 1.
 *
 * The same bound holds for 16-bit inputs, because their products (16 bits of bf16, 22 of fp16) are exact in fp32 and no
 * instruction rounds a sum of them more often than once per product: vdpbf16ps twice per pair; tdpbf16ps and tdpfp16ps
 * at most 18 times in 32 ks; bfmmla twice per pair, to odd; fmlal once. What they flush (results below 2^-126; inputs
 * are never that small here) adds 2^-126 per rounding.
 */
template <class Input, class Sum>
GemmVerdict verify_product(ThreadPool& pool, const Product<Input, Sum>& product, std::uint64_t seed);

/**
 * How many of n x n outputs differ from their sum rounded once, to nearest even. A bf16 zero may stand for a sum below
 * 2^-126.
 */
template <class Output>
std::size_t count_wrong_conversions(ThreadPool& pool, const float* sums, const Output* out, std::size_t n,
                                    std::size_t ld);

/** Order-independent hash of the n x n elements, to compare repetitions bit for bit. */
template <class T>
std::uint64_t hash_matrix(ThreadPool& pool, const T* c, std::size_t n, std::size_t ld);

}  // namespace gpumark
