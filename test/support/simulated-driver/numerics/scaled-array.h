// Block-scaled inputs for the numeric check. Their values are derived from the definitions of the formats (OCP
// Microscaling Formats 1.0, the layout of scales in the cuBLAS documentation) without the functions that the kernels
// use.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "number-formats.h"
#include "random-words.h"

namespace gpumark::numerics {

struct ScaledFacts {
  bool four_bits, ue4m3, in_rows;
  std::size_t block;
};
inline ScaledFacts scaled_facts(NumberFormat format) {
  switch (format) {
    case NumberFormat::nvfp4: return {true, true, false, 16};
    case NumberFormat::mxfp4: return {true, false, false, 32};
    case NumberFormat::mxfp8: return {false, false, false, 32};
    case NumberFormat::mxfp4_rows: return {true, false, true, 32};
    default: return {false, false, true, 32};
  }
}

inline double minifloat(unsigned code, int exponent_bits, int fraction_bits, int bias) {
  const int fraction = static_cast<int>(code & ((1u << fraction_bits) - 1)),
            exponent = static_cast<int>(code >> fraction_bits & ((1u << exponent_bits) - 1));
  const bool negative = code >> (exponent_bits + fraction_bits) & 1;
  const double magnitude = exponent ? std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)
                                    : std::ldexp(fraction, 1 - bias - fraction_bits);
  return negative ? -magnitude : magnitude;
}

/**
 * Fills numbers and scales at random, with scales from 2^-4 to 2^4 or from 0.25 to 3.75. @returns the elements row by
 * row. Nothing else in the array is written.
 */
inline std::vector<double> fill_scaled(NumberFormat format, std::uint8_t* array, std::size_t rows, std::size_t k,
                                       std::uint64_t seed) {
  const ScaledFacts facts = scaled_facts(format);
  const std::size_t bytes = facts.four_bits ? rows * k / 2 : rows * k, begin = (bytes + 255) / 256 * 256,
                    blocks = k / facts.block, across = (blocks + 3) / 4;
  std::vector<double> values(rows * k);
  for (std::size_t i = 0; i < bytes; ++i) {
    // Large magnitudes, among them the two NaN codes, are mapped to smaller ones.
    unsigned code = static_cast<unsigned>(random_word(seed, i) >> 24 & 255);
    if (!facts.four_bits) code = code % 128 >= 0x50 ? code - 0x40 : code;
    array[i] = static_cast<std::uint8_t>(code);
    if (facts.four_bits) {
      values[2 * i] = minifloat(code & 15, 2, 1, 1);
      values[2 * i + 1] = minifloat(code >> 4, 2, 1, 1);
    } else {
      values[i] = minifloat(code, 4, 3, 7);
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const unsigned word = static_cast<unsigned>(random_word(seed + 77, row * blocks + block) >> 40);
      const unsigned code = facts.ue4m3 ? 0x28 + word % 31 : 123 + word % 9;
      const double scale = facts.ue4m3 ? minifloat(code, 4, 3, 7) : std::ldexp(1.0, static_cast<int>(code) - 127);
      const std::size_t tile = row / 128 * across + block / 4,
                        place = facts.in_rows ? row * blocks + block
                                              : tile * 512 + (row % 32) * 16 + (row / 32 % 4) * 4 + block % 4;
      array[begin + place] = static_cast<std::uint8_t>(code);
      for (std::size_t i = 0; i < facts.block; ++i) values[row * k + block * facts.block + i] *= scale;
    }
  }
  return values;
}

}  // namespace gpumark::numerics
