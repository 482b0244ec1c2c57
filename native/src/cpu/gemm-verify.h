// Is this product right? Checked against float64 three ways, each with an error bound derived from the inputs.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cpu/thread-pool.h"
#include "protocol/json-object.h"

namespace gpumark {

template <class T>
struct Product {
  std::size_t n;
  std::size_t ld;
  const T* a;
  const T* b;
  const T* c;
  /** Depth of one block of additions, for the error bound. */
  std::size_t kc;
};

struct GemmVerdict {
  bool right = false;
  double worst_sampled_ratio = 0;
  double worst_checksum_ratio = 0;
  std::size_t sampled_rows = 0;
  JsonObject details() const;
};

/**
 * Samples: 8 rows and 8 columns (first and last among them) in float64, each element within gamma * (|A||B|), the worst case
 * of kc + n/kc roundings. Checksum over every element: C x against A (B x) for random signs x. Rounding errors have
 * independent signs there, so its bound is 16 standard deviations, which one wrong mantissa bit of one element exceeds.
 * Ratios are error over bound: right means at most 1.
 */
template <class T>
GemmVerdict verify_product(ThreadPool& pool, const Product<T>& product, std::uint64_t seed);

/** Order-independent hash of the n x n elements, to compare repetitions bit for bit. */
template <class T>
std::uint64_t hash_matrix(ThreadPool& pool, const T* c, std::size_t n, std::size_t ld);

}  // namespace gpumark
