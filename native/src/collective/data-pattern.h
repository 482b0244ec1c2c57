// What the ranks put in, and what must come out: whole numbers below 1024, so that the float32 sum of all ranks is
// exact in any order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpumark {

constexpr std::size_t kPatternClasses = 1024;
/** 16,384 x 1,023 < 2^24: up to there every sum of whole numbers is exact in float32. */
constexpr int kMaxRanks = 16384;

/** Class of element i: neighbours differ, and a block that lands in another place is seen. */
inline std::uint32_t pattern_class(std::uint64_t i) { return static_cast<std::uint32_t>(i) * 2654435761u >> 22; }

/** What `rank` holds in elements of each class. */
std::vector<float> rank_values(int rank);
/** The sum of that over ranks 0 to ranks - 1. */
std::vector<float> summed_values(int ranks);

/** out[j] = values[class of first + j] */
void fill_pattern(float* out, std::size_t count, std::uint64_t first, const std::vector<float>& values);
/** Elements that are not bit for bit what they should be; `place` becomes the first one's index where there is one. */
std::uint64_t count_wrong(const float* found, std::size_t count, std::uint64_t first, const std::vector<float>& values,
                          std::uint64_t& place);

}  // namespace gpumark
