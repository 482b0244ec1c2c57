// Four neighbouring threads that hold a piece of a row together, and their rounding of results.
#pragma once
#include "../block.h"
#include "../number-formats.h"

namespace gpumark::device {

/** The word of the thread whose number in its warp differs in the bits of `mask`. All 32 threads call it. */
GPUMARK_DEVICE u32 word_across(u32 word, u32 mask) {
#if GPUMARK_SIMULATED
  struct Own {
    u32 word, mask, result;
  } own = {word, mask, 0};
  gpumark_sim_together(32, &own, [](void* const* all) {
    for (u32 lane = 0; lane < 32; ++lane) {
      auto* to = static_cast<Own*>(all[lane]);
      to->result = static_cast<const Own*>(all[(lane ^ to->mask) % 32])->word;
    }
  });
  return own.result;
#else
  return __shfl_xor_sync(0xffffffffu, word, mask);
#endif
}

/** What all threads of a warp have alike, told to the compiler: it goes into a register that they share. */
GPUMARK_DEVICE u32 same_in_warp(u32 word) {
#if GPUMARK_SIMULATED
  return word;
#else
  return __shfl_sync(0xffffffffu, word, 0);
#endif
}

/** words[i] of thread j becomes words[j] of thread i, among four neighbours. */
GPUMARK_DEVICE void transpose_quad(u32 (&words)[4], u32 lane) {
#pragma unroll
  for (u32 bit = 1; bit < 4; bit *= 2) {
    const bool upper = (lane & bit) != 0;
#pragma unroll
    for (u32 i = 0; i < 4; ++i) {
      if (i & bit) continue;
      const u32 got = word_across(upper ? words[i] : words[i + bit], bit);
      words[i] = upper ? got : words[i];
      words[i + bit] = upper ? words[i + bit] : got;
    }
  }
}

/** Two results as 16-bit numbers, the first in the lower half. */
template <NumberFormat format>
GPUMARK_DEVICE u32 pair_of_16_bits(float low, float high) {
  static_assert(format == NumberFormat::fp16 || format == NumberFormat::bf16);
#if GPUMARK_SIMULATED
  // Where encode_number() stops at the largest, the instruction goes on to infinity.
  const auto encoded = [](float x) {
    const float limit = format == NumberFormat::fp16 ? 65520.0f : 3.3961e38f;
    return x != x                       ? 0x7fffu
           : __builtin_fabsf(x) < limit ? encode_number(format, x)
                                        : (x < 0 ? 0x8000u : 0u) | (format == NumberFormat::fp16 ? 0x7c00u : 0x7f80u);
  };
  return encoded(high) << 16 | encoded(low);
#else
  u32 pair;
  if constexpr (format == NumberFormat::fp16)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#endif
}

}  // namespace gpumark::device
