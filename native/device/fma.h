// Multiply-add peak of the ordinary lanes: kFmaChains independent chains per thread, all in registers.
#pragma once
#include "portable.h"
#include "random-words.h"
#if GPUMARK_SIMULATED
#include "half-words.h"
#endif

namespace gpumark::device {

// ---- two floats at once: one instruction on CDNA2+ and on NVIDIA's data-centre Blackwell, two elsewhere

#if GPUMARK_AMD
typedef float FloatPair __attribute__((ext_vector_type(2)));
GPUMARK_DEVICE FloatPair float_pair(float x, float y) { return {x, y}; }
GPUMARK_DEVICE FloatPair multiply_add(FloatPair x, FloatPair factor, FloatPair addend) {
  return __builtin_elementwise_fma(x, factor, addend);
}
GPUMARK_DEVICE FloatPair sum(FloatPair x, FloatPair y) { return x + y; }
#elif GPUMARK_NVIDIA && __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200
struct FloatPair {
  u64 bits;
};
GPUMARK_DEVICE FloatPair float_pair(float x, float y) {
  FloatPair pair;
  asm("mov.b64 %0, {%1, %2};" : "=l"(pair.bits) : "f"(x), "f"(y));
  return pair;
}
GPUMARK_DEVICE FloatPair multiply_add(FloatPair x, FloatPair factor, FloatPair addend) {
  FloatPair result;
  asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(result.bits) : "l"(x.bits), "l"(factor.bits), "l"(addend.bits));
  return result;
}
GPUMARK_DEVICE FloatPair sum(FloatPair x, FloatPair y) {
  asm("add.rn.f32x2 %0, %0, %1;" : "+l"(x.bits) : "l"(y.bits));
  return x;
}
#else
struct alignas(8) FloatPair {
  float x, y;
};
GPUMARK_DEVICE FloatPair float_pair(float x, float y) { return {x, y}; }
GPUMARK_DEVICE FloatPair multiply_add(FloatPair x, FloatPair factor, FloatPair addend) {
  return {multiply_add(x.x, factor.x, addend.x), multiply_add(x.y, factor.y, addend.y)};
}
GPUMARK_DEVICE FloatPair sum(FloatPair x, FloatPair y) { return {x.x + y.x, x.y + y.y}; }
#endif

// ---- two fp16 at once

#if GPUMARK_AMD
typedef _Float16 HalfPair __attribute__((ext_vector_type(2)));
GPUMARK_DEVICE HalfPair half_pair(double x, double y) { return {static_cast<_Float16>(x), static_cast<_Float16>(y)}; }
GPUMARK_DEVICE HalfPair multiply_add(HalfPair x, HalfPair factor, HalfPair addend) {
  return __builtin_elementwise_fma(x, factor, addend);
}
GPUMARK_DEVICE HalfPair sum(HalfPair x, HalfPair y) { return x + y; }
#elif GPUMARK_NVIDIA
struct HalfPair {
  u32 bits;
};
GPUMARK_DEVICE HalfPair half_pair(double x, double y) {
  // Through fp32, which all callers' values fit exactly: the conversion from fp64 alone would need more than one
  // instruction too.
  HalfPair pair;
  asm("{ .reg .f16 a, b; cvt.rn.f16.f32 a, %1; cvt.rn.f16.f32 b, %2; mov.b32 %0, {a, b}; }"
      : "=r"(pair.bits)
      : "f"(static_cast<float>(x)), "f"(static_cast<float>(y)));
  return pair;
}
GPUMARK_DEVICE HalfPair multiply_add(HalfPair x, HalfPair factor, HalfPair addend) {
  HalfPair result;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result.bits) : "r"(x.bits), "r"(factor.bits), "r"(addend.bits));
  return result;
}
GPUMARK_DEVICE HalfPair sum(HalfPair x, HalfPair y) {
  asm("add.rn.f16x2 %0, %0, %1;" : "+r"(x.bits) : "r"(y.bits));
  return x;
}
#else
struct HalfPair {
  unsigned short x, y;
};
GPUMARK_DEVICE HalfPair half_pair(double x, double y) { return {half_of(x), half_of(y)}; }
GPUMARK_DEVICE HalfPair multiply_add(HalfPair x, HalfPair factor, HalfPair addend) {
  return {half_multiply_add(x.x, factor.x, addend.x), half_multiply_add(x.y, factor.y, addend.y)};
}
GPUMARK_DEVICE HalfPair sum(HalfPair x, HalfPair y) { return {half_sum(x.x, y.x), half_sum(x.y, y.y)}; }
#endif

GPUMARK_DEVICE float sum(float x, float y) { return x + y; }
GPUMARK_DEVICE double sum(double x, double y) { return x + y; }

/** `start(i)` is the i-th number (or pair) of this thread. Runs the chains and leaves their sum and the two clocks. */
template <class Number, class Start>
GPUMARK_DEVICE void run_chains(const FmaArgs& args, Number factor, Number addend, Start start) {
  Number x[kFmaChains];
#pragma unroll
  for (u32 i = 0; i < kFmaChains; ++i) x[i] = start(i);
  const u64 cycles = core_cycles();
  const u64 ticks = timer_ticks();
  // Counted in 32 bits: 64 take two more instructions, and each costs the multiply-adds an issue slot. The chain is the
  // addend, as in the accumulating form that RDNA can issue in pairs.
#pragma unroll 1
  for (u32 left = args.rounds; left != 0; --left) {
#pragma unroll
    for (u32 step = 0; step < kFmaSteps; ++step) {
#pragma unroll
      for (u32 i = 0; i < kFmaChains; ++i) x[i] = multiply_add(factor, addend, x[i]);
    }
  }
  const u64 spent_cycles = core_cycles() - cycles;
  const u64 spent_ticks = timer_ticks() - ticks;
  Number total = x[0];
#pragma unroll
  for (u32 i = 1; i < kFmaChains; ++i) total = sum(total, x[i]);
  static_cast<Number*>(args.out)[global_thread()] = total;
  if (thread_index() == 0) {
    args.clocks[2 * static_cast<u64>(block_index())] = spent_cycles;
    args.clocks[2 * static_cast<u64>(block_index()) + 1] = spent_ticks;
  }
}

/** Number `i` of this thread: a multiple of 1/1024 in [-1, 1), exact in fp16 too. */
GPUMARK_DEVICE double start_value(u32 i) { return random_dyadic(global_thread(), i); }

}  // namespace gpumark::device

GPUMARK_KERNEL(gpumark_fma_fp32, FmaArgs) {
  using namespace gpumark::device;
  run_chains<float>(args, static_cast<float>(args.factor), static_cast<float>(args.addend),
                    [](u32 i) { return static_cast<float>(start_value(i)); });
}

GPUMARK_KERNEL(gpumark_fma_fp32_packed, FmaArgs) {
  using namespace gpumark::device;
  const float factor = static_cast<float>(args.factor), addend = static_cast<float>(args.addend);
  run_chains<FloatPair>(args, float_pair(factor, factor), float_pair(addend, addend), [](u32 i) {
    return float_pair(static_cast<float>(start_value(2 * i)), static_cast<float>(start_value(2 * i + 1)));
  });
}

GPUMARK_KERNEL(gpumark_fma_fp64, FmaArgs) {
  using namespace gpumark::device;
  run_chains<double>(args, args.factor, args.addend, [](u32 i) { return start_value(i); });
}

GPUMARK_KERNEL(gpumark_fma_fp16, FmaArgs) {
  using namespace gpumark::device;
  run_chains<HalfPair>(args, half_pair(args.factor, args.factor), half_pair(args.addend, args.addend),
                       [](u32 i) { return half_pair(start_value(2 * i), start_value(2 * i + 1)); });
}
