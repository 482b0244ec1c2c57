// Numbers of 4 and 8 bits and their scales as the OCP formats (OFP8 1.0, Microscaling 1.0) and NVIDIA's manual have
// them, apart from those that the kernels are checked with.
#pragma once
#include <cmath>

#include "../kernels.h"

namespace gpumark::simulated {

inline double e2m1(device::u32 bits) {
  static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}
inline double e4m3(device::u32 bits) {
  const int exponent = static_cast<int>(bits >> 3 & 15), fraction = static_cast<int>(bits & 7);
  if (exponent == 15 && fraction == 7) return NAN;
  const double magnitude = exponent ? std::ldexp(8 + fraction, exponent - 10) : std::ldexp(fraction, -9);
  return bits & 0x80 ? -magnitude : magnitude;
}
inline double ue8m0(device::u32 bits) {
  if (bits == 255) return NAN;
  return std::ldexp(1.0, static_cast<int>(bits) - 127);
}

}  // namespace gpumark::simulated
