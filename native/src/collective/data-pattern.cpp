#include "collective/data-pattern.h"

#include <cstring>

namespace gpumark {
namespace {

/** Each pair of class and rank gets a number of its own, so that swapped data of two ranks is detected. */
std::uint32_t scramble(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

}  // namespace

std::vector<float> rank_values(int rank) {
  std::vector<float> values(kPatternClasses);
  for (std::uint32_t c = 0; c < kPatternClasses; ++c)
    values[c] = static_cast<float>(scramble(static_cast<std::uint32_t>(rank) << 10 | c) >> 22);
  return values;
}

std::vector<float> summed_values(int ranks) {
  std::vector<float> sums(kPatternClasses, 0);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<float> values = rank_values(rank);
    for (std::size_t c = 0; c < kPatternClasses; ++c) sums[c] += values[c];
  }
  return sums;
}

void fill_pattern(float* out, std::size_t count, std::uint64_t first, const std::vector<float>& values) {
  for (std::size_t j = 0; j < count; ++j) out[j] = values[pattern_class(first + j)];
}

std::uint64_t count_wrong(const float* found, std::size_t count, std::uint64_t first, const std::vector<float>& values,
                          std::uint64_t& place) {
  std::uint64_t wrong = 0;
  for (std::size_t j = 0; j < count; ++j) {
    // Compared as bits: a NaN is unequal to itself, and -0 equals 0.
    std::uint32_t is = 0, should = 0;
    std::memcpy(&is, found + j, 4);
    std::memcpy(&should, &values[pattern_class(first + j)], 4);
    if (is != should && wrong++ == 0) place = first + j;
  }
  return wrong;
}

}  // namespace gpumark
