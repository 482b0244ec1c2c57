// The same for fp64: "Matrix Fragments for mma.m8n8k4" and ".m16n8k8" with .f64.
#pragma once
#include "../block.h"

namespace gpumark::device::mma_sync::simulated {

inline void load_pair(double& first, double& second, u32 address) {
  if (address % 16) fault("ld.shared of 16 bytes from an address that is no multiple of 16");
  gpumark_sim_together(8, &address, check_banks<16>);
  std::memcpy(&first, at_window(address), 8);
  std::memcpy(&second, at_window(address) + 8, 8);
}

inline void load_one(double& number, u32 address) {
  if (address % 8) fault("ld.shared of 8 bytes from an address that is no multiple of 8");
  gpumark_sim_together(16, &address, check_banks<8>);
  std::memcpy(&number, at_window(address), 8);
}

struct Fp64Fragments {
  double* sum;
  const double* a;
  const double* b;
};

/**
 * A: row = lane / 4, k = lane % 4. B: k = lane % 4, column = lane / 4. C: row = lane / 4, column = 2 (lane % 4) + i.
 */
inline void multiply_fp64_8_together(void* const* all) {
  const auto* const* lanes = reinterpret_cast<const Fp64Fragments* const*>(all);
  double result[32][2];
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 2; ++i) {
      const u32 row = lane / 4, column = 2 * (lane % 4) + i;
      double sum = lanes[lane]->sum[i];
      for (u32 k = 0; k < 4; ++k) sum = multiply_add(*lanes[4 * row + k]->a, *lanes[4 * column + k]->b, sum);
      result[lane][i] = sum;
    }
  }
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 2; ++i) lanes[lane]->sum[i] = result[lane][i];
  }
}
inline void multiply_fp64_8(double* sum, double a, double b) {
  Fp64Fragments own = {sum, &a, &b};
  gpumark_sim_together(32, &own, multiply_fp64_8_together);
}

/**
 * A: row = lane / 4, + 8 for numbers 1 and 3; k = lane % 4, + 4 for numbers 2 and 3. B: k = lane % 4, + 4 for number 1;
 * column = lane / 4. C: row = lane / 4, + 8 for sums 2 and 3; column = 2 (lane % 4) + i % 2.
 */
inline void multiply_fp64_16_together(void* const* all) {
  const auto* const* lanes = reinterpret_cast<const Fp64Fragments* const*>(all);
  double a[16][8], b[8][8];
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 group = lane / 4, member = lane % 4;
    for (u32 i = 0; i < 4; ++i) a[group + 8 * (i % 2)][member + 4 * (i / 2)] = lanes[lane]->a[i];
    for (u32 i = 0; i < 2; ++i) b[group][member + 4 * i] = lanes[lane]->b[i];
  }
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 4; ++i) {
      const u32 row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      for (u32 k = 0; k < 8; ++k) lanes[lane]->sum[i] = multiply_add(a[row][k], b[column][k], lanes[lane]->sum[i]);
    }
  }
}
inline void multiply_fp64_16(double* sum, const double* a, const double* b) {
  Fp64Fragments own = {sum, a, b};
  gpumark_sim_together(32, &own, multiply_fp64_16_together);
}

}  // namespace gpumark::device::mma_sync::simulated
