// sum += A x B^T on the registers of a warp: 16 x 8 numbers from 16 x 32 bytes of A and 8 x 32 bytes of B (fp64: 8 x 8
// or 16 x 8 from 32 or 64). Lane l has of a 16 x 8 sum columns 2 (l % 4) and the next, of row l / 4 and of row l / 4
// + 8.
#pragma once
#include "mma-sync-ops.h"

namespace gpumark::device::mma_sync {

#if !GPUMARK_SIMULATED
#define GPUMARK_MMA_16_8(shape_and_types)                                                                    \
  asm("mma.sync.aligned." shape_and_types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                               \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define GPUMARK_MMA_16_8_8(b_index, a_index)                                                                 \
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                               \
      : "r"(a[a_index]), "r"(a[a_index + 1]), "r"(b[b_index]))
#endif

/** What is multiplied, and what becomes of a sum. `prepare` is done to each register of A and B after it was loaded. */
struct Half {
  static constexpr u32 kInputBytes = 2, kOutputBytes = 2;
  GPUMARK_MEMBER static u32 prepare(u32 bits) { return bits; }
  GPUMARK_MEMBER static u32 pair(float x, float y) { return half_pair_bits(x, y); }
  GPUMARK_MEMBER static void multiply(float (&sum)[4], const u32 (&a)[4], const u32* b) {
#if GPUMARK_SIMULATED
    simulated::multiply<simulated::HalfNumbers, 16>(sum, a, b);
#elif __CUDA_ARCH__ >= 800
    GPUMARK_MMA_16_8("m16n8k16.row.col.f32.f16.f16.f32");
#else
    // Turing's is 8 deep.
    GPUMARK_MMA_16_8_8(0, 0);
    GPUMARK_MMA_16_8_8(1, 2);
#endif
  }
};

/** As Turing multiplies it, for the simulator; on a card the same as Half. */
struct HalfTwice : Half {
#if GPUMARK_SIMULATED
  static void multiply(float (&sum)[4], const u32 (&a)[4], const u32* b) {
    simulated::multiply<simulated::HalfNumbers, 8>(sum, a, b);
    simulated::multiply<simulated::HalfNumbers, 8>(sum, a + 2, b + 1);
  }
#endif
};

/** fp16 in, fp32 out. */
template <class Input>
struct Mixed : Input {
  static constexpr u32 kOutputBytes = 4;
};

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
struct Brain {
  static constexpr u32 kInputBytes = 2, kOutputBytes = 2;
  GPUMARK_MEMBER static u32 prepare(u32 bits) { return bits; }
  GPUMARK_MEMBER static u32 pair(float x, float y) { return brain_pair_bits(x, y); }
  GPUMARK_MEMBER static void multiply(float (&sum)[4], const u32 (&a)[4], const u32* b) {
#if GPUMARK_SIMULATED
    simulated::multiply<simulated::BrainNumbers, 16>(sum, a, b);
#else
    GPUMARK_MMA_16_8("m16n8k16.row.col.f32.bf16.bf16.f32");
#endif
  }
};

/**
 * fp32 in memory, of which the unit takes the upper 19 bits: no card of ours has shown that, and if it were otherwise,
 * the proof before the measurement would say so. Cutting the rest off would make every product too small, by 2^-12 to
 * 2^-11 for each of its factors on average; half a unit of the last bit that stays, added beforehand, rounds instead.
 * That is one integer addition per register, on a pipe that has nothing else to do here; cvt.rna.tf32.f32, which treats
 * infinities rightly too, is four instructions on sm_80 and sm_89.
 */
struct Tf32 {
  static constexpr u32 kInputBytes = 4, kOutputBytes = 4;
  GPUMARK_MEMBER static u32 prepare(u32 bits) {
#if GPUMARK_SIMULATED
    return bits + 0x1000;
#else
    // Not as C++, which the compiler moves to the beginning of the next turn of the loop, where the products wait for
    // it.
    asm("add.u32 %0, %0, 0x1000;" : "+r"(bits));
    return bits;
#endif
  }
  GPUMARK_MEMBER static u32 pair(float, float) { return 0; }
  GPUMARK_MEMBER static void multiply(float (&sum)[4], const u32 (&a)[4], const u32* b) {
#if GPUMARK_SIMULATED
    simulated::multiply<simulated::Tf32Numbers, 8>(sum, a, b);
#else
    GPUMARK_MMA_16_8("m16n8k8.row.col.f32.tf32.tf32.f32");
#endif
  }
};
#endif

/**
 * e4m3 in, bf16 out. Only where it is an instruction: nvcc makes conversions and fp16 products of it for sm_90 and
 * sm_100. For sm_120a, mma.kind::f8f6f4 of the same shape is the very same machine code.
 */
#if GPUMARK_SIMULATED || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define GPUMARK_HAS_QUARTER_MMA 1
struct Quarter : Brain {
  static constexpr u32 kInputBytes = 1;
  GPUMARK_MEMBER static void multiply(float (&sum)[4], const u32 (&a)[4], const u32* b) {
#if GPUMARK_SIMULATED
    simulated::multiply<simulated::QuarterNumbers, 32>(sum, a, b);
#else
    GPUMARK_MMA_16_8("m16n8k32.row.col.f32.e4m3.e4m3.f32");
#endif
  }
};
#endif

/**
 * fp64, 16 rows and 8 deep: lane l brings of A rows l / 4 and l / 4 + 8, of B column l / 4, and of each two numbers, of
 * which the k must only agree between A and B. One instruction since Hopper, four before.
 */
#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
GPUMARK_DEVICE void multiply_fp64_parts(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
#if GPUMARK_SIMULATED
  for (u32 i = 0; i < 2; ++i) {
    simulated::multiply_fp64_8(sum, a[2 * i], b[i]);
    simulated::multiply_fp64_8(sum + 2, a[2 * i + 1], b[i]);
  }
#else
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sum[2 * (i % 2)]), "+d"(sum[2 * (i % 2) + 1])
        : "d"(a[i]), "d"(b[i / 2]));
  }
#endif
}
#endif
#if GPUMARK_SIMULATED || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1030)
GPUMARK_DEVICE void multiply_fp64_whole(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
#if GPUMARK_SIMULATED
  simulated::multiply_fp64_16(sum, a, b);
#else
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}
#endif

}  // namespace gpumark::device::mma_sync
