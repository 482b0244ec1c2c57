// Arithmetic of the product instructions: fp32 multiply-add to nearest even, numbers below 2^-126 read and written as
// zero.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace emulated {

inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

inline float bf16_value(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return flushed(value);
}

inline float multiply_add(float a, float b, float sum) { return flushed(std::fma(a, b, flushed(sum))); }

}  // namespace emulated
