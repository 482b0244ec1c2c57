// Reproducible words and numbers from (seed, index), the same on the host, on every GPU and in the simulated driver.
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#define GPUMARK_ANYWHERE __attribute__((host, device)) inline
#else
#define GPUMARK_ANYWHERE inline
#endif

namespace gpumark {

/** SplitMix64's finaliser over a counter: 64 well-mixed bits. */
GPUMARK_ANYWHERE unsigned long long random_word(unsigned long long seed, unsigned long long index) {
  unsigned long long x = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/**
 * A multiple of 1/1024 in [-1, 1): sums of up to 2^42 of them, and b + 3c of two, are exact in a double, in any order.
 */
GPUMARK_ANYWHERE double random_dyadic(unsigned long long seed, unsigned long long index) {
  return static_cast<double>(static_cast<long long>(random_word(seed, index) >> 53) - 1024) / 1024.0;
}

/**
 * Near-normal, mean 0, variance 1, |x| < 3.47: the sum of four 16-bit uniforms (Irwin-Hall). One rounding, in the last
 * step, so that every compiler gives the same bits.
 */
GPUMARK_ANYWHERE double random_normal(unsigned long long seed, unsigned long long index) {
  const unsigned long long bits = random_word(seed, index);
  const double sum =
      static_cast<double>((bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48));
  return (sum / 65536.0 - 2.0 + 2.0 / 65536.0) * 1.7320508075688772;
}

}  // namespace gpumark
