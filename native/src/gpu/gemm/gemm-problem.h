// The definition of a matrix product shared by all engines, and the element types.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gpu/driver-table.h"

namespace gpumark {

/**
 * What is multiplied and how. fp32 and fp64 run on the ordinary lanes (fp64 also on matrix units that keep all of its
 * bits), tf32 is fp32 in memory with the inputs rounded to 10 bits of mantissa by the matrix units, mixed is fp16 in
 * and fp32 out. All types of 32 bits and less accumulate in fp32. fp32_matrix is the arithmetic of fp32 on matrix units
 * that keep all of its bits (CDNA). The last three are block-scaled: numbers of 4 or 8 bits, and a scale for each 16 or
 * 32 of them along k (block-scales.h), which the matrix units apply.
 */
enum class GemmType { fp32, fp64, tf32, fp16, bf16, mixed, fp8, fp32_matrix, nvfp4, mxfp4, mxfp8 };
constexpr GemmType kGemmTypes[] = {GemmType::fp32,  GemmType::fp64,  GemmType::tf32, GemmType::fp16,
                                   GemmType::bf16,  GemmType::mixed, GemmType::fp8,  GemmType::fp32_matrix,
                                   GemmType::nvfp4, GemmType::mxfp4, GemmType::mxfp8};
constexpr bool is_block_scaled(GemmType type) { return type >= GemmType::nvfp4; }

struct GemmTypeSpec {
  /** "tf32", as in kernel names and results. */
  const char* name;
  /** For block-scaled types the maximum, without the scales. */
  std::size_t input_bytes;
  std::size_t output_bytes;
};
inline const GemmTypeSpec& spec_of(GemmType type) {
  static constexpr GemmTypeSpec specs[] = {
      {"fp32", 4, 4}, {"fp64", 8, 8},        {"tf32", 4, 4},  {"fp16", 2, 2},  {"bf16", 2, 2},  {"mixed", 2, 4},
      {"fp8", 1, 2},  {"fp32_matrix", 4, 4}, {"nvfp4", 1, 2}, {"mxfp4", 1, 2}, {"mxfp8", 1, 2},
  };
  static_assert(sizeof specs / sizeof specs[0] == sizeof kGemmTypes / sizeof kGemmTypes[0], "a row for each type");
  return specs[static_cast<int>(type)];
}

/**
 * C[i][j] = sum over l < k of A[i][l] * B[j][l], for i < m and j < n. A is m x k, B is n x k, C is m x n, all row-major
 * without gaps: the "TN" case of the BLAS (column-major: op(A) = transposed, op(B) = plain), the one that fp8 has in
 * every library. k is a multiple of 64 (block-scaled: of 128), n a multiple of 8; m is arbitrary.
 */
struct GemmShape {
  unsigned m = 0, n = 0, k = 0;

  double operations() const { return 2.0 * m * n * k; }
  std::size_t bytes(const GemmTypeSpec& spec) const {
    return (std::size_t{m} + n) * k * spec.input_bytes + std::size_t{m} * n * spec.output_bytes;
  }
};

/** Tiles that cover `rows` by `columns` elements. */
constexpr unsigned tiles_over(unsigned rows, unsigned columns, unsigned tile_rows, unsigned tile_columns) {
  return ((rows + tile_rows - 1) / tile_rows) * ((columns + tile_columns - 1) / tile_columns);
}

/**
 * Device memory, each at least 256-byte aligned. fp8 (e4m3, the OCP format; on gfx942 its FNUZ variant) needs no
 * scales: all are 1. Block scales follow their numbers.
 */
struct GemmOperands {
  DevicePointer a = 0, b = 0, c = 0;
};

}  // namespace gpumark
