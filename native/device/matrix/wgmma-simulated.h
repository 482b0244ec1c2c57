// wgmma for the simulated driver, after the tables of the PTX manual: matrix descriptors, the 128-byte swizzle, the
// places of the sums. A multiplication reads shared memory when it is issued, as late as a wait allows or in between;
// until waited for, the sums are NaN. The sums here are fp32 in the order of k. Hardware's are of its own order, those
// of fp8 with about 14 bits.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "swizzled-tile-simulated.h"

namespace gpumark::simulated {

struct Multiplication {
  MatrixInput input;
  int sign;
  u64 a, b;
  bool adds;
  u64 group;
};

/** What a warpgroup has under way. */
struct Warpgroup {
  u64 run = 0;
  bool begun = false;
  /** Groups that have ended. The multiplications of the one that has not are of this number. */
  u64 groups = 0;
  /** The last group that has a multiplication in it. */
  u64 last = 0;
  bool in_flight = false;
  float* sums[128] = {};
  float matrix[64][256] = {};
  std::vector<Multiplication> waiting;
};

inline Warpgroup& own_warpgroup() {
  static thread_local std::map<std::pair<u32, u32>, std::unique_ptr<Warpgroup>> warpgroups;
  auto& found = warpgroups[{gpumark_sim_cluster_rank(), gpumark_sim_thread / 128}];
  if (!found || found->run != gpumark_sim_run()) {
    found = std::make_unique<Warpgroup>();
    found->run = gpumark_sim_run();
  }
  return *found;
}

/**
 * body(float& in a register, float& in the matrix): figure "WGMMA .m64nNk16 register fragment layout for accumulator
 * matrix D".
 */
template <class Body>
void for_each_sum(Warpgroup& group, Body body) {
  for (u32 thread = 0; thread < 128; ++thread) {
    for (u32 i = 0; i < 128; ++i)
      body(group.sums[thread][i],
           group.matrix[16 * (thread / 32) + thread % 32 / 4 + (i & 2 ? 8 : 0)][i / 4 * 8 + thread % 4 * 2 + (i & 1)]);
  }
}

inline std::vector<float> read_tile(u64 descriptor, MatrixInput input, u32 rows) {
  if (descriptor >> 62 != 1) forbid("a matrix without the 128-byte swizzle: not simulated");
  // Where the pattern of 1024 bytes begins elsewhere than at a whole 1024, bits 49-51 say so.
  if (descriptor >> 49 & 7) forbid("a matrix that begins off its border of 1024 bytes: not simulated");
  return read_swizzled_tile(gpumark_sim_cluster_rank(), static_cast<u32>(descriptor & 0x3fff) << 4,
                            static_cast<u32>(descriptor >> 32 & 0x3fff) << 4, input, rows);
}

inline void carry_out(Warpgroup& group, const Multiplication& one) {
  const std::vector<float> a = read_tile(one.a, one.input, 64), b = read_tile(one.b, one.input, 256);
  if (!one.adds) std::memset(group.matrix, 0, sizeof group.matrix);
  for (u32 row = 0; row < 64; ++row) {
    for (u32 k = 0; k < a.size() / 64; ++k) {
      const float factor = static_cast<float>(one.sign) * a[k * 64 + row];
      const float* column = &b[k * 256];
      for (u32 i = 0; i < 256; ++i) group.matrix[row][i] += factor * column[i];
    }
  }
}

inline void carry_first_out(Warpgroup& group) {
  const Multiplication one = group.waiting.front();
  group.waiting.erase(group.waiting.begin());
  carry_out(group, one);
}

struct WgmmaOperands {
  float* sum;
  u64 a, b;
  device::u32 adds;
};

template <MatrixInput input, int sign>
void issue(void* const* all) {
  Warpgroup& group = own_warpgroup();
  const auto& first = *static_cast<const WgmmaOperands*>(all[0]);
  if (!group.begun) return forbid("a multiplication without wgmma.fence after the sums were touched");
  for (u32 thread = 0; thread < 128; ++thread) {
    const auto& own = *static_cast<const WgmmaOperands*>(all[thread]);
    if (own.a != first.a || own.b != first.b || own.adds != first.adds)
      return forbid("threads of a warpgroup that multiply different matrices");
    if (group.in_flight && group.sums[thread] != own.sum) return forbid("two sets of sums under way: not simulated");
    group.sums[thread] = own.sum;
  }
  if (!group.in_flight) {
    for_each_sum(group, [](float& sum, float& element) {
      element = sum;
      sum = float_of_bits(0x7fffffff);
    });
  }
  group.in_flight = true;
  group.last = group.groups;
  group.waiting.push_back({input, sign, first.a, first.b, first.adds != 0, group.groups});
  if (carries_out_now(Begun::multiplication)) {
    while (!group.waiting.empty()) carry_first_out(group);
  }
}

template <MatrixInput input, int sign>
void wgmma(float (&sum)[128], u64 a, u64 b, u32 adds) {
  WgmmaOperands own = {sum, a, b, adds};
  gpumark_sim_together(128, &own, issue<input, sign>);
}

inline void wgmma_begin() {
  gpumark_sim_together(128, nullptr, [](void* const*) { own_warpgroup().begun = true; });
}
inline void wgmma_end() {
  gpumark_sim_together(128, nullptr, [](void* const*) { ++own_warpgroup().groups; });
}
inline void wgmma_wait(u32 groups) {
  gpumark_sim_together(128, &groups, [](void* const* all) {
    Warpgroup& group = own_warpgroup();
    const u32 left = *static_cast<const u32*>(all[0]);
    while (!group.waiting.empty() &&
           (group.waiting.front().group + left < group.groups || carries_out_now(Begun::multiplication)))
      carry_first_out(group);
    if (!group.in_flight || group.last + left >= group.groups) return;
    for_each_sum(group, [](float& sum, float& element) { sum = element; });
    group.in_flight = group.begun = false;
  });
}

}  // namespace gpumark::simulated
