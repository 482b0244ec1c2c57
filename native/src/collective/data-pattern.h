// Inputs of the ranks and the expected outputs: whole numbers below 1024, so that the float32 sum over all ranks is
// exact in any order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpumark {

constexpr std::size_t kPatternClasses = 1024;
/** 16,384 x 1,023 < 2^24, the limit up to which every sum of whole numbers is exact in float32. */
constexpr int kMaxRanks = 16384;

/** Class of element i: neighbours differ, so a block that lands at the wrong offset is detected. */
inline std::uint32_t pattern_class(std::uint64_t i) { return static_cast<std::uint32_t>(i) * 2654435761u >> 22; }

/** The input of `rank`, one value per class. */
std::vector<float> rank_values(int rank);
/** The sum of rank_values over ranks 0 to ranks - 1. */
std::vector<float> summed_values(int ranks);

/** out[j] = values[class of first + j] */
void fill_pattern(float* out, std::size_t count, std::uint64_t first, const std::vector<float>& values);
/**
 * Number of elements that differ in any bit from the expected value; `place` is set to the index of the first, if any.
 */
std::uint64_t count_wrong(const float* found, std::size_t count, std::uint64_t first, const std::vector<float>& values,
                          std::uint64_t& place);

}  // namespace gpumark
