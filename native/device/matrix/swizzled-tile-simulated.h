// Tiles in shared memory as matrix units of Hopper and Blackwell read them, for the simulated driver: rows of 128 bytes
// of k, 8 of them in 1024 bytes, 16-byte pieces in other places by the 128-byte swizzle, which goes by the address
// itself.
#pragma once
#include <vector>

#include "bulk-copy-simulated.h"
#include "matrix-input.h"

namespace gpumark::simulated {

using device::MatrixInput;

inline float decoded(MatrixInput input, const unsigned char* bytes) {
  u32 code = 0;
  switch (input) {
    case MatrixInput::e4m3: return decode_number(NumberFormat::e4m3, *bytes);
    case MatrixInput::tf32: std::memcpy(&code, bytes, 4); return float_of_bits(code & ~0x1fffu);
    default:
      std::memcpy(&code, bytes, 2);
      return decode_number(input == MatrixInput::fp16 ? NumberFormat::fp16 : NumberFormat::bf16, code);
  }
}

/**
 * `rows` rows of 32 bytes of the block `rank` from `start` on, as numbers, k first. `rows_of_8`: bytes from one 8 rows
 * to the next.
 */
inline std::vector<float> read_swizzled_tile(u32 rank, u32 start, u32 rows_of_8, MatrixInput input, u32 rows) {
  const u32 depth = device::matrix_depth(input), bytes = device::kStepBytes / depth;
  std::vector<float> tile(std::size_t{depth} * rows);
  if (start & 0x380) return forbid("a swizzled matrix that begins off its border of 1024 bytes"), tile;
  for (u32 row = 0; row < rows; ++row) {
    for (u32 k = 0; k < depth; ++k) {
      const u32 address = swizzled(start + row / 8 * rows_of_8 + row % 8 * 128 + k * bytes, MapSwizzle::bytes_128);
      if (address < kWindowBegin || address + bytes > kWindowEnd) return forbid("a matrix outside shared memory"), tile;
      tile[std::size_t{k} * rows + row] = decoded(input, at_address(rank, address));
    }
  }
  return tile;
}

}  // namespace gpumark::simulated
