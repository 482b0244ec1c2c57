// fp16 arithmetic on the host, for checking the devices and for the simulated driver: exact in double, then one rounding.
#pragma once
#include <cmath>
#include <cstring>

namespace gpumark {

/** fp16 bits of x, rounded to nearest, ties to even; overflow gives infinity. */
inline unsigned short half_of(double x) {
  if (std::isnan(x)) return 0x7e00;
  const unsigned short sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (magnitude >= 65520) return static_cast<unsigned short>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Below 2^-14 the numbers are 2^-24 apart, above it 2^-10 of their power of two. nearbyint rounds ties to even.
  const int step = (magnitude < 6.103515625e-05 ? -14 : exponent - 1) - 10;
  const double rounded = std::nearbyint(std::ldexp(magnitude, -step));
  const double value = std::ldexp(rounded, step);
  if (value < 6.103515625e-05) return static_cast<unsigned short>(sign | static_cast<unsigned short>(std::ldexp(value, 24)));
  std::frexp(value, &exponent);
  const auto fraction = static_cast<unsigned>(std::ldexp(value, 11 - exponent)) & 0x3ff;
  return static_cast<unsigned short>(sign | static_cast<unsigned>(exponent + 14) << 10 | fraction);
}

inline double double_of_half(unsigned short bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : exponent == 31 ? (fraction ? NAN : INFINITY) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The product has 22 bits and stands at most 2^-48 low, the sum fits a double's 53 bits wherever |x| < 4: no double rounding. */
inline unsigned short half_multiply_add(unsigned short x, unsigned short factor, unsigned short addend) {
  return half_of(double_of_half(x) * double_of_half(factor) + double_of_half(addend));
}
inline unsigned short half_sum(unsigned short x, unsigned short y) { return half_of(double_of_half(x) + double_of_half(y)); }

}  // namespace gpumark
