// The bits of numbers of 16 and 8 bits, the same on the host, on every GPU and in the simulated driver.
//   fp16 and bf16: IEEE 754. e4m3: OCP OFP8 (no infinity, 448 the largest). e4m3_fnuz: the one of gfx942 (bias 8, no
//   minus zero, 240 the largest). nvfp4, mxfp4, mxfp8: numbers of 4 and 8 bits with a scale for each 16 or 32 of them
//   along k: see block-scales.h.
#pragma once
#include "random-words.h"

namespace gpumark {

/**
 * Of the block-scaled ones, `_rows` says that the scales lie row by row (AMD); else they lie in tiles of 128 x 4
 * (NVIDIA).
 */
enum class NumberFormat : unsigned {
  fp32,
  fp64,
  fp16,
  bf16,
  e4m3,
  e4m3_fnuz,
  nvfp4,
  mxfp4,
  mxfp8,
  mxfp4_rows,
  mxfp8_rows
};

/** Not of the block-scaled formats, whose numbers are of no use without their scales. */
GPUMARK_ANYWHERE unsigned bytes_of(NumberFormat format) {
  return format == NumberFormat::fp64                                   ? 8
         : format == NumberFormat::fp32                                 ? 4
         : format == NumberFormat::fp16 || format == NumberFormat::bf16 ? 2
                                                                        : 1;
}

struct FormatLayout {
  int fraction_bits;
  int bias;
  unsigned largest;
};
GPUMARK_ANYWHERE FormatLayout layout_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::fp16: return {10, 15, 0x7bff};
    case NumberFormat::bf16: return {7, 127, 0x7f7f};
    case NumberFormat::e4m3: return {3, 7, 0x7e};
    default: return {3, 8, 0x7f};
  }
}

GPUMARK_ANYWHERE unsigned bits_of_float(float x) {
  unsigned bits = 0;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
GPUMARK_ANYWHERE float float_of_bits(unsigned bits) {
  float x = 0;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/**
 * Bits of the nearest number of a format of 16 or 8 bits, ties to even; the largest where x is beyond it. x is finite.
 */
GPUMARK_ANYWHERE unsigned encode_number(NumberFormat format, float x) {
  const FormatLayout layout = layout_of(format);
  const unsigned bits = bits_of_float(x), magnitude = bits & 0x7fffffffu;
  const int shift = 23 - layout.fraction_bits;
  unsigned code = 0;
  if (static_cast<int>(magnitude >> 23) - 127 + layout.bias >= 1) {
    const unsigned rounded = magnitude + (1u << (shift - 1)) - 1 + (magnitude >> shift & 1);
    code = (rounded >> shift) - (static_cast<unsigned>(127 - layout.bias) << layout.fraction_bits);
  } else {
    // Subnormal: a whole number of the smallest steps, 2^(1 - bias - fraction_bits). Adding 2^23 rounds to whole
    // numbers, ties to even. bf16 has fp32's exponents: its steps are bits of fp32.
    const float steps = float_of_bits(magnitude) *
                        float_of_bits(static_cast<unsigned>(127 + layout.bias - 1 + layout.fraction_bits) % 256 << 23);
    code = format == NumberFormat::bf16 ? (magnitude + 0x7fff + (magnitude >> 16 & 1)) >> 16
                                        : bits_of_float(steps + 8388608.0f) & 0x7fffff;
  }
  if (code > layout.largest) code = layout.largest;
  const unsigned sign = (bits >> 31) << (bytes_of(format) * 8 - 1);
  return format == NumberFormat::e4m3_fnuz && code == 0 ? 0 : sign | code;
}

/** The value of a number of 16 or 8 bits; NaN for what is none, infinities included. */
GPUMARK_ANYWHERE float decode_number(NumberFormat format, unsigned code) {
  const FormatLayout layout = layout_of(format);
  const unsigned sign_bit = 1u << (bytes_of(format) * 8 - 1);
  const unsigned magnitude = code & (sign_bit - 1), exponent = magnitude >> layout.fraction_bits;
  if (magnitude > layout.largest || (format == NumberFormat::e4m3_fnuz && code == sign_bit))
    return float_of_bits(0x7fc00000u);
  if (format == NumberFormat::bf16) return float_of_bits(code << 16);
  const float value =
      exponent
          ? float_of_bits((magnitude << (23 - layout.fraction_bits)) + (static_cast<unsigned>(127 - layout.bias) << 23))
          : static_cast<float>(magnitude) *
                float_of_bits(static_cast<unsigned>(127 + 1 - layout.bias - layout.fraction_bits) << 23);
  return code & sign_bit ? -value : value;
}

}  // namespace gpumark
