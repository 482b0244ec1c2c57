// mma.sync with block scales in C++, after the PTX manual's figures and nothing else: layouts, numbers and scales stand
// here once more.
//   A and B: as with numbers of 8 bits, of which a byte holds two where they have 4.
//   Scales, thread-id 0 and byte-id 0: of A's row r those of lane 4 (r % 8) + r / 8, of B's column c those of lane 4 c;
//   byte i is that of block i.
#pragma once
#include "mma-sync-simulated.h"
#include "scaled-numbers-simulated.h"

namespace gpumark::device::mma_sync::simulated {

enum class ScaledUnit { nvfp4, mxfp4, mxfp8 };

using gpumark::simulated::e2m1;
using gpumark::simulated::e4m3;
using gpumark::simulated::ue8m0;

struct ScaledFragments {
  float* sum;
  const u32* a;
  const u32* b;
  u32 scale_a, scale_b;
};

template <ScaledUnit unit>
void multiply_scaled_together(void* const* all) {
  const auto* const* lanes = reinterpret_cast<const ScaledFragments* const*>(all);
  constexpr bool small = unit != ScaledUnit::mxfp8;
  constexpr u32 depth = small ? 64 : 32, block = unit == ScaledUnit::nvfp4 ? 16 : 32, each = depth / 8;
  const auto number = [](u32 word, u32 place) {
    return small ? e2m1(word >> (4 * place) & 15) : e4m3(word >> (8 * place) & 255);
  };
  const auto scale = [](u32 word, u32 k) {
    const u32 bits = word >> (8 * (k / block)) & 255;
    return unit == ScaledUnit::nvfp4 ? e4m3(bits & 127) : ue8m0(bits);
  };
  double a[16][depth], b[8][depth];
  for (u32 row = 0; row < 16; ++row) {
    for (u32 k = 0; k < depth; ++k) {
      const u32 word = lanes[row % 8 * 4 + k % (depth / 2) / each]->a[row / 8 + 2 * (k / (depth / 2))];
      a[row][k] = number(word, k % each) * scale(lanes[row % 8 * 4 + row / 8]->scale_a, k);
    }
  }
  for (u32 column = 0; column < 8; ++column) {
    for (u32 k = 0; k < depth; ++k) {
      const u32 word = lanes[column * 4 + k % (depth / 2) / each]->b[k / (depth / 2)];
      b[column][k] = number(word, k % each) * scale(lanes[column * 4]->scale_b, k);
    }
  }
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 4; ++i) {
      const double* left = a[lane / 4 + i / 2 * 8];
      const double* right = b[lane % 4 * 2 + i % 2];
      double sum = lanes[lane]->sum[i];
      for (u32 k = 0; k < depth; ++k) sum += left[k] * right[k];
      lanes[lane]->sum[i] = static_cast<float>(sum);
    }
  }
}
template <ScaledUnit unit>
void multiply_scaled(float* sum, const u32* a, const u32* b, u32 scale_a, u32 scale_b) {
  ScaledFragments own = {sum, a, b, scale_a, scale_b};
  gpumark_sim_together(32, &own, multiply_scaled_together<unit>);
}

}  // namespace gpumark::device::mma_sync::simulated
