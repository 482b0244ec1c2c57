// fp16 arithmetic on the host, for checking the devices and for the simulated driver: exact in double, then one
// rounding.
#pragma once
#include <cmath>
#include <cstring>

namespace gpumark {

/** fp16 bits of x, rounded to nearest, ties to even; overflow gives infinity. */
inline unsigned short half_of(double x) {
  unsigned long long bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  const auto sign = static_cast<unsigned short>(bits >> 48 & 0x8000);
  const unsigned long long magnitude = bits & 0x7fffffffffffffffull;
  // 2^-14 <= |x| < 65520: 42 bits of the fraction go, half of the last one's weight added first; a carry moves into the
  // exponent.
  if (magnitude >= 0x3f10000000000000ull && magnitude < 0x40effe0000000000ull) {
    const unsigned long long rounded = magnitude + 0x1ffffffffffull + (magnitude >> 42 & 1);
    return static_cast<unsigned short>(sign | ((rounded >> 42) - (static_cast<unsigned long long>(1023 - 15) << 10)));
  }
  if (magnitude >= 0x40effe0000000000ull)
    return static_cast<unsigned short>(sign | (magnitude > 0x7ff0000000000000ull ? 0x7e00 : 0x7c00));
  // Subnormal numbers are 2^-24 apart; nearbyint rounds ties to even.
  return static_cast<unsigned short>(sign | static_cast<unsigned short>(std::nearbyint(std::ldexp(std::fabs(x), 24))));
}

inline double double_of_half(unsigned short bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude = 0;
  if (exponent > 0 && exponent < 31) {
    const unsigned long long wide =
        (static_cast<unsigned long long>(exponent + 1023 - 15) << 52) | static_cast<unsigned long long>(fraction) << 42;
    std::memcpy(&magnitude, &wide, sizeof magnitude);
  } else {
    magnitude = exponent == 0 ? std::ldexp(fraction, -24) : fraction ? NAN : INFINITY;
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

/**
 * The product of two numbers above 2^-10 has no bit below 2^-40, and with an addend below 2^12 the sum fits a double's
 * 53 bits: one rounding.
 */
inline unsigned short half_multiply_add(unsigned short x, unsigned short factor, unsigned short addend) {
  return half_of(double_of_half(x) * double_of_half(factor) + double_of_half(addend));
}
inline unsigned short half_sum(unsigned short x, unsigned short y) {
  return half_of(double_of_half(x) + double_of_half(y));
}

}  // namespace gpumark
