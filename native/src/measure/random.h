// Reproducible input data. Every value depends on (seed, index) only, so filling in parallel gives the same matrix for
// any thread count.
#pragma once
#include <cstdint>

#include "random-words.h"

namespace gpumark {

inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) { return random_word(seed, index); }

}  // namespace gpumark
