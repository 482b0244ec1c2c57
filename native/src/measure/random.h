// Reproducible input data. Every value depends on (seed, index) only, so filling in parallel gives the same matrix for any thread count.
#pragma once
#include <cmath>
#include <cstdint>

namespace gpumark {

/** SplitMix64's finaliser over a counter: 64 well-mixed bits. */
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/** Near-normal, mean 0, variance 1, |x| < 3.47: the sum of four 16-bit uniforms (Irwin-Hall). One multiply per value instead of a logarithm. */
inline double random_normal(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = random_bits(seed, index);
  const double sum = static_cast<double>((bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48));
  return (sum / 65536.0 - 2.0 + 2.0 / 65536.0) * 1.7320508075688772;
}

/** A multiple of 1/1024 in [-1, 1): sums of up to 2^42 of them are exact in a double, in any order. */
inline double random_dyadic(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(static_cast<std::int64_t>(random_bits(seed, index) >> 53) - 1024) / 1024.0;
}

}  // namespace gpumark
