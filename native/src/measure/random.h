// Reproducible input data. Every value depends on (seed, index) only, so filling in parallel gives the same matrix for any thread count.
#pragma once
#include <cmath>
#include <cstdint>

#include "random-words.h"

namespace gpumark {

inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) { return random_word(seed, index); }

/** Near-normal, mean 0, variance 1, |x| < 3.47: the sum of four 16-bit uniforms (Irwin-Hall). One multiply per value instead of a logarithm. */
inline double random_normal(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = random_bits(seed, index);
  const double sum = static_cast<double>((bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48));
  return (sum / 65536.0 - 2.0 + 2.0 / 65536.0) * 1.7320508075688772;
}

}  // namespace gpumark
