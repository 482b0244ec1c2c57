#include "blas/number-format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace gpumark::sim::blas {
namespace {

struct Format {
  int exponent_bits, mantissa_bits, bias;
  /** The largest exponent encodes ordinary numbers (fp8) instead of infinity and NaN. */
  bool all_finite;
};
constexpr Format kFp4 = {2, 1, 1, true};
constexpr Format kFp8 = {4, 3, 7, true};
constexpr Format kFp8Fnuz = {4, 3, 8, true};
constexpr Format kFp16 = {5, 10, 15, false};
constexpr Format kBf16 = {8, 7, 127, false};

double decode(const Format& f, unsigned bits) {
  const unsigned mantissa = bits & ((1u << f.mantissa_bits) - 1);
  const unsigned top = (1u << f.exponent_bits) - 1;
  const unsigned exponent = bits >> f.mantissa_bits & top;
  const double sign = bits >> (f.mantissa_bits + f.exponent_bits) & 1 ? -1 : 1;
  if (!f.all_finite && exponent == top)
    return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << f.mantissa_bits), static_cast<int>(exponent) - f.bias - f.mantissa_bits);
}

/** Only for formats with an infinity. */
unsigned encode(const Format& f, double value) {
  const unsigned top = (1u << f.exponent_bits) - 1;
  const unsigned sign = std::signbit(value) ? 1u << (f.mantissa_bits + f.exponent_bits) : 0;
  if (std::isnan(value)) return top << f.mantissa_bits | 1u << (f.mantissa_bits - 1);
  int exponent = 0;
  if (std::isinf(value) || std::frexp(value, &exponent) == 0)
    return std::isinf(value) ? sign | top << f.mantissa_bits : sign;
  // Exponent of the last bit: that of the number's binade or of the subnormals.
  const int last = std::max(exponent - 1, 1 - f.bias) - f.mantissa_bits;
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(std::fabs(value), -last)));
  const unsigned binade = static_cast<unsigned>(std::max(last + f.mantissa_bits + f.bias - 1, 0));
  // An overflow of the mantissa carries into the exponent automatically.
  const unsigned magnitude = (binade << f.mantissa_bits) + steps;
  return sign | std::min(magnitude, top << f.mantissa_bits);
}

template <class Bits>
Bits bits_at(const void* matrix, std::size_t index) {
  Bits bits;
  std::memcpy(&bits, static_cast<const char*>(matrix) + index * sizeof bits, sizeof bits);
  return bits;
}
template <class Bits>
void put(void* matrix, std::size_t index, Bits bits) {
  std::memcpy(static_cast<char*>(matrix) + index * sizeof bits, &bits, sizeof bits);
}

}  // namespace

std::size_t bytes_of(Element element) {
  switch (element) {
    case Element::fp4:
    case Element::fp8:
    case Element::fp8_fnuz: return 1;
    case Element::fp16:
    case Element::bf16: return 2;
    case Element::fp32: return 4;
    case Element::fp64: break;
  }
  return 8;
}

double read_scale(bool ue4m3, unsigned bits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (ue4m3) return (bits & 0x7f) == 0x7f ? nan : decode(kFp8, bits & 0x7f);
  return bits == 0xff ? nan : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

double read_number(Element element, const void* matrix, std::size_t index) {
  switch (element) {
    case Element::fp4:
      return decode(kFp4, static_cast<unsigned>(bits_at<std::uint8_t>(matrix, index / 2)) >> (4 * (index % 2)) & 15);
    case Element::fp8: {
      const auto bits = bits_at<std::uint8_t>(matrix, index);
      return (bits & 0x7f) == 0x7f ? std::numeric_limits<double>::quiet_NaN() : decode(kFp8, bits);
    }
    case Element::fp8_fnuz: {
      const auto bits = bits_at<std::uint8_t>(matrix, index);
      return bits == 0x80 ? std::numeric_limits<double>::quiet_NaN() : decode(kFp8Fnuz, bits);
    }
    case Element::fp16: return decode(kFp16, bits_at<std::uint16_t>(matrix, index));
    case Element::bf16: return decode(kBf16, bits_at<std::uint16_t>(matrix, index));
    case Element::fp32: return bits_at<float>(matrix, index);
    case Element::fp64: break;
  }
  return bits_at<double>(matrix, index);
}

void write_number(Element element, void* matrix, std::size_t index, double value) {
  switch (element) {
    case Element::fp4:
    case Element::fp8:
    case Element::fp8_fnuz: return;  // No operation has such an output.
    case Element::fp16: return put(matrix, index, static_cast<std::uint16_t>(encode(kFp16, value)));
    case Element::bf16: return put(matrix, index, static_cast<std::uint16_t>(encode(kBf16, value)));
    case Element::fp32: return put(matrix, index, static_cast<float>(value));
    case Element::fp64: return put(matrix, index, value);
  }
}

float rounded_to_tf32(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  // Drops 13 bits, ties to even.
  bits += 0x0fff + (bits >> 13 & 1);
  bits &= ~0x1fffu;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace gpumark::sim::blas
