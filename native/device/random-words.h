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

/** A multiple of 1/1024 in [-1, 1): sums of up to 2^42 of them, and b + 3c of two, are exact in a double, in any order. */
GPUMARK_ANYWHERE double random_dyadic(unsigned long long seed, unsigned long long index) {
  return static_cast<double>(static_cast<long long>(random_word(seed, index) >> 53) - 1024) / 1024.0;
}

}  // namespace gpumark
