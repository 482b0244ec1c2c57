// Runs an FMA kernel from random state, and verifies the arithmetic it is timed for.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "cpu/kernels/kernel-set.h"
#include "measure/random.h"

namespace gpumark {

/**
 * Accumulators, then multipliers in (0.25, 0.75), then addends in (-3.5, 3.5): the chains stay bounded and never
 * denormal.
 */
template <class T>
std::vector<T> fma_state(const FmaKernel& kernel, std::uint64_t seed, bool random_data) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const std::size_t chains = static_cast<std::size_t>(kernel.accumulators) * lanes;
  std::vector<T> state(chains + 2 * lanes, T{0});
  if (!random_data) return state;
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = static_cast<T>(random_normal(seed, i));
  for (std::size_t i = 0; i < lanes; ++i) state[chains + i] = static_cast<T>(0.5 + 0.25 * random_dyadic(seed, i));
  return state;
}

template <class T>
T chain_step(ChainStep step, T x, T m, T c) {
  switch (step) {
    case ChainStep::fused_multiply_x: return std::fma(x, m, c);
    case ChainStep::fused_add_to_x: return std::fma(m, c, x);
    default: {
      volatile T product = x * m;
      return product + c;
    }
  }
}

/** Bit for bit against scalar arithmetic with the same roundings. `spoil` may alter the kernel's output first. */
template <class T, class Spoil>
bool fma_kernel_is_right(const FmaKernel& kernel, std::uint64_t seed, std::uint64_t iterations, Spoil spoil) {
  const std::vector<T> before = fma_state<T>(kernel, seed, true);
  std::vector<T> after = before;
  kernel.run(iterations, after.data());
  spoil(after);
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const std::size_t chains = static_cast<std::size_t>(kernel.accumulators) * lanes;
  for (std::size_t i = 0; i < chains; ++i) {
    T x = before[i];
    for (std::uint64_t n = 0; n < iterations; ++n)
      x = chain_step(kernel.step, x, before[chains + i % lanes], before[chains + lanes + i % lanes]);
    if (!(x == after[i])) return false;
  }
  return true;
}

}  // namespace gpumark
