// Block-scaled operands, the same on the host, on every GPU and in the simulated driver: numbers of 4 or 8 bits, and
// one scale for each block of them along k. Value = number x scale.
//   nvfp4: E2M1 in blocks of 16, scales of E4M3 without a sign (UE4M3). mxfp4: E2M1 in blocks of 32, mxfp8: E4M3 in
//   blocks of 32, both with scales that are powers of two (UE8M0): OCP Microscaling Formats 1.0.
// An operand is one array: the numbers row by row (of 4 bits, the first of a pair in the lower half of the byte), then,
// from the next multiple of 256 bytes on, the scales. In tiles (cuBLAS, "Block scaling factors layout"): 128 rows x 4
// blocks are 512 bytes, row r and block b of a tile at 16 (r % 32) + 4 (r / 32) + b; tiles follow each other along k,
// then down the rows; what is beyond the matrix is there and not used.
#pragma once
#include "number-formats.h"

namespace gpumark {

GPUMARK_ANYWHERE bool is_block_scaled(NumberFormat format) { return format >= NumberFormat::nvfp4; }
GPUMARK_ANYWHERE bool has_scales_in_rows(NumberFormat format) { return format >= NumberFormat::mxfp4_rows; }
GPUMARK_ANYWHERE bool is_four_bits(NumberFormat format) {
  return format == NumberFormat::nvfp4 || format == NumberFormat::mxfp4 || format == NumberFormat::mxfp4_rows;
}
GPUMARK_ANYWHERE unsigned scaled_block(NumberFormat format) { return format == NumberFormat::nvfp4 ? 16 : 32; }

/** Where the scales begin, in bytes. */
GPUMARK_ANYWHERE unsigned long long scales_begin(NumberFormat format, unsigned long long rows, unsigned k) {
  const unsigned long long numbers = is_four_bits(format) ? rows * k / 2 : rows * k;
  return (numbers + 255) / 256 * 256;
}
/** The array's bytes, scales included: a multiple of 16. */
GPUMARK_ANYWHERE unsigned long long scaled_bytes(NumberFormat format, unsigned long long rows, unsigned k) {
  const unsigned long long blocks = k / scaled_block(format);
  const unsigned long long scales =
      has_scales_in_rows(format) ? rows * blocks : (rows + 127) / 128 * 128 * ((blocks + 3) / 4 * 4);
  return scales_begin(format, rows, k) + (scales + 15) / 16 * 16;
}
/** Where the scale of block `block` of row `row` is, from the first scale on. */
GPUMARK_ANYWHERE unsigned long long scale_place(NumberFormat format, unsigned long long row, unsigned block,
                                                unsigned k) {
  const unsigned blocks = k / scaled_block(format);
  if (has_scales_in_rows(format)) return row * blocks + block;
  const unsigned long long tile = row / 128 * ((blocks + 3) / 4) + block / 4;
  return tile * 512 + row % 32 * 16 + row % 128 / 32 * 4 + block % 4;
}

/** E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives in the lower 4 bits. */
GPUMARK_ANYWHERE float decode_e2m1(unsigned code) {
  const unsigned magnitude = code & 7;
  const float value = magnitude < 2 ? 0.5f * static_cast<float>(magnitude)
                                    : static_cast<float>((2 + (magnitude & 1)) << (magnitude >> 1)) * 0.25f;
  return code & 8 ? -value : value;
}
/** The nearest, ties to the even code; 6 where x is beyond it. */
GPUMARK_ANYWHERE unsigned encode_e2m1(float x) {
  const float m = x < 0 ? -x : x;
  const unsigned code = (m > 0.25f) + (m >= 0.75f) + (m > 1.25f) + (m >= 1.75f) + (m > 2.5f) + (m >= 3.5f) + (m > 5.0f);
  return bits_of_float(x) >> 31 << 3 | code;
}

/** UE4M3 in nvfp4, else UE8M0. */
GPUMARK_ANYWHERE float decode_scale(NumberFormat format, unsigned code) {
  return format == NumberFormat::nvfp4 ? decode_number(NumberFormat::e4m3, code & 0x7f) : float_of_bits(code << 23);
}
GPUMARK_ANYWHERE unsigned scale_of_one(NumberFormat format) { return format == NumberFormat::nvfp4 ? 0x38 : 127; }
/**
 * The scale at byte `place` of the scales: all of 0.5 to 1.875 (nvfp4), or 1/2, 1 and 2. A scale taken from another
 * place is another number.
 */
GPUMARK_ANYWHERE unsigned random_scale(NumberFormat format, unsigned long long seed, unsigned long long place) {
  const auto word = static_cast<unsigned>(random_word(seed + 0x5ca1e5, place) >> 32);
  return format == NumberFormat::nvfp4 ? 0x30 + word % 16 : 126 + word % 3;
}
/** Number `index` of the array, in its own bits. */
GPUMARK_ANYWHERE unsigned random_scaled_number(NumberFormat format, unsigned long long seed, unsigned long long index) {
  const auto x = static_cast<float>(random_normal(seed, index));
  return is_four_bits(format) ? encode_e2m1(x) : encode_number(NumberFormat::e4m3, x);
}

/** Byte `i` of a random array, whose scales begin at `begin`; of zeros where `random` is false, with scales 1. */
GPUMARK_ANYWHERE unsigned random_scaled_byte(NumberFormat format, unsigned long long seed, unsigned long long i,
                                             unsigned long long begin, bool random) {
  if (i >= begin) return random ? random_scale(format, seed, i - begin) : scale_of_one(format);
  if (!random) return 0;
  if (!is_four_bits(format)) return random_scaled_number(format, seed, i);
  return random_scaled_number(format, seed, 2 * i) | random_scaled_number(format, seed, 2 * i + 1) << 4;
}

/** Element `column` of row `row` of a matrix of `rows` x `k`. Exact in fp32. */
GPUMARK_ANYWHERE float scaled_number_at(NumberFormat format, const unsigned char* array, unsigned long long rows,
                                        unsigned k, unsigned long long row, unsigned column) {
  const unsigned long long index = row * k + column;
  const unsigned scale =
      array[scales_begin(format, rows, k) + scale_place(format, row, column / scaled_block(format), k)];
  const float number = is_four_bits(format) ? decode_e2m1(array[index / 2] >> (index % 2 * 4))
                                            : decode_number(NumberFormat::e4m3, array[index]);
  return number * decode_scale(format, scale);
}

}  // namespace gpumark
