// V_MFMA_SCALE_F32_32X32X64_F8F6F4 as AMD describes it (CDNA 4 instruction set); numbers and scales stand here once
// more.
#pragma once
#include <cmath>

#include "mfma-simulated.h"

namespace gpumark::device {

struct ScaledUnitOwn {
  const unsigned char* a;
  const unsigned char* b;
  float* sums;
  u32 scale_a, scale_b;
};

/**
 * Number `k` of line `line`, unscaled. 8 bits: 16 k of a lane follow each other, the next 16 are 32 further on. 4 bits:
 * all 32 follow each other.
 */
template <u32 bits>
double scaled_unit_number(void* const* all, u32 line, u32 k, bool is_a) {
  const u32 half = bits == 8 ? k / 16 % 2 : k / 32, index = bits == 8 ? k / 32 * 16 + k % 16 : k % 32;
  const auto& own = *static_cast<const ScaledUnitOwn*>(all[line + 32 * half]);
  const unsigned char* bytes = is_a ? own.a : own.b;
  if (bits == 8) {
    const u32 code = bytes[index], exponent = code >> 3 & 15, fraction = code & 7;
    const double magnitude =
        exponent ? std::ldexp(8 + fraction, static_cast<int>(exponent) - 10) : std::ldexp(fraction, -9);
    return code & 0x80 ? -magnitude : magnitude;
  }
  static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const u32 code = bytes[index / 2] >> (4 * (index % 2)) & 15;
  return code & 8 ? -magnitudes[code & 7] : magnitudes[code & 7];
}

template <u32 bits>
void act_scaled_unit(void* const* all) {
  double a[32][64], b[32][64];
  for (u32 line = 0; line < 32; ++line) {
    for (u32 k = 0; k < 64; ++k) {
      const auto& scales = *static_cast<const ScaledUnitOwn*>(all[line + 32 * (k / 32)]);
      a[line][k] =
          std::ldexp(scaled_unit_number<bits>(all, line, k, true), static_cast<int>(scales.scale_a & 255) - 127);
      b[line][k] =
          std::ldexp(scaled_unit_number<bits>(all, line, k, false), static_cast<int>(scales.scale_b & 255) - 127);
    }
  }
  for (u32 lane = 0; lane < 64; ++lane) {
    for (u32 i = 0; i < 16; ++i) {
      float& to = static_cast<ScaledUnitOwn*>(all[lane])->sums[i];
      double sum = to;
      for (u32 k = 0; k < 64; ++k) sum += a[8 * (i / 4) + 4 * (lane / 32) + i % 4][k] * b[lane % 32][k];
      to = static_cast<float>(sum);
    }
  }
}

template <u32 bits, class Sum, u32 chunks>
void simulate_scaled_unit(Sum& sum, const Chunk (&a)[chunks], const Chunk (&b)[chunks], u32 scale_a, u32 scale_b) {
  ScaledUnitOwn own = {reinterpret_cast<const unsigned char*>(a), reinterpret_cast<const unsigned char*>(b), sum.at,
                       scale_a, scale_b};
  drift();
  gpumark_sim_together(64, &own, act_scaled_unit<bits>);
}

}  // namespace gpumark::device
