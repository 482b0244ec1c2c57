// MFMA, the matrix instructions of CDNA, on what a lane reads from local memory: kChunks chunks of 16 bytes of a row of
// either operand. Which k a lane's numbers stand for does not matter as long as both operands are read alike: it is a
// sum over the same k in any order. Where an instruction takes 8 bytes of a lane, there are kInstructions of them for a
// chunk, and `part` says which.
#pragma once
#include "amd-wave.h"
#if GPUMARK_SIMULATED
#include "mfma-simulated.h"
#endif

#if GPUMARK_SIMULATED || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
namespace gpumark::device {

#if GPUMARK_AMD
typedef float MfmaSum __attribute__((ext_vector_type(16)));
typedef double MfmaSumFp64 __attribute__((ext_vector_type(4)));
typedef _Float16 HalfQuad __attribute__((ext_vector_type(4)));
typedef short Bf16Quad __attribute__((ext_vector_type(4)));
typedef float FloatTwo __attribute__((ext_vector_type(2)));
typedef _Float16 HalfOctet __attribute__((ext_vector_type(8)));
typedef __bf16 Bf16Octet __attribute__((ext_vector_type(8)));
typedef int EightWords __attribute__((ext_vector_type(8)));

/** Half `half` of a chunk: four numbers, two or one. */
template <class Part>
GPUMARK_DEVICE Part half_of_chunk(Chunk chunk, u32 half) {
  typedef u32 Two __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(Part, half ? Two{chunk.z, chunk.w} : Two{chunk.x, chunk.y});
}
#endif

/**
 * 32 x 32 results in fp32: a lane has 16 of one column of D, in runs of 4 rows. Lanes 0-31 read the first of two
 * chunks, 32-63 the other.
 */
struct MfmaWide {
  static constexpr u32 kWave = 64, kEdge = 32, kChunks = 1, kStepChunks = 2, kInstructions = 2, kRun = 4, kSums = 16;
  /** Few waves per SIMD: see amd-gemm.h. */
  static constexpr bool kAhead = true;
  typedef MfmaSum Sum;
  GPUMARK_DEVICE u32 chunk(u32 lane, u32) { return lane / 32; }
  /** Row of D of a lane's result i; its column is lane % kEdge. */
  GPUMARK_DEVICE u32 result_row(u32 lane, u32 i) { return 8 * (i / 4) + 4 * (lane / 32) + i % 4; }
};

/**
 * fp32 as it is, all 24 bits of it: one number of a lane at a time. At least the rate of the ordinary lanes, on CDNA 2
 * twice it.
 */
struct MfmaFp32 : MfmaWide {
  static constexpr u32 kInstructions = 4;
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f32_32x32x2f32(__builtin_bit_cast(float, static_cast<u32>(a[0][part])),
                                               __builtin_bit_cast(float, static_cast<u32>(b[0][part])), sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::fp32, 2> >(sum, a, b, part);
#endif
  }
};

#if GPUMARK_SIMULATED || !defined(__gfx950__)
struct MfmaFp16 : MfmaWide {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(half_of_chunk<HalfQuad>(a[0], part), half_of_chunk<HalfQuad>(b[0], part),
                                               sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::fp16, 8> >(sum, a, b, part);
#endif
  }
};

struct MfmaBf16 : MfmaWide {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(half_of_chunk<Bf16Quad>(a[0], part),
                                                   half_of_chunk<Bf16Quad>(b[0], part), sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::bf16, 8> >(sum, a, b, part);
#endif
  }
};
#endif

#if GPUMARK_SIMULATED || defined(__gfx942__)
/** fp8 of gfx942: e4m3 in its FNUZ form. */
struct MfmaFp8Fnuz : MfmaWide {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(half_of_chunk<long>(a[0], part), half_of_chunk<long>(b[0], part),
                                                     sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::e4m3_fnuz, 16> >(sum, a, b, part);
#endif
  }
};

/** xf32, gfx942 alone: fp32 in, of which the unit keeps 10 bits of fraction. */
struct MfmaTf32 : MfmaWide {
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f32_32x32x4_xf32(half_of_chunk<FloatTwo>(a[0], part),
                                                 half_of_chunk<FloatTwo>(b[0], part), sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::xf32, 4> >(sum, a, b, part);
#endif
  }
};
#endif

#if GPUMARK_SIMULATED || defined(__gfx950__)
/** gfx950: twice as deep, at twice the rate. */
struct MfmaFp16Deep : MfmaWide {
  static constexpr u32 kInstructions = 1;
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_mfma_f32_32x32x16_f16(__builtin_bit_cast(HalfOctet, a[0]),
                                                 __builtin_bit_cast(HalfOctet, b[0]), sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::fp16, 16> >(sum, a, b, part);
#endif
  }
};

struct MfmaBf16Deep : MfmaWide {
  static constexpr u32 kInstructions = 1;
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    sum = __builtin_amdgcn_mfma_f32_32x32x16_bf16(__builtin_bit_cast(Bf16Octet, a[0]),
                                                  __builtin_bit_cast(Bf16Octet, b[0]), sum, 0, 0, 0);
#else
    simulate_unit<MfmaTable<UnitNumber::bf16, 16> >(sum, a, b, part);
#endif
  }
};

/** fp8 of gfx950: e4m3 as OCP has it, without block scales. A lane gives two chunks, 32 bytes apart in k. */
struct MfmaFp8 : MfmaWide {
  static constexpr u32 kChunks = 2, kStepChunks = 4, kInstructions = 1;
  GPUMARK_DEVICE u32 chunk(u32 lane, u32 i) { return lane / 32 + 2 * i; }
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    (void)part;
    const EightWords left = __builtin_bit_cast(EightWords, __builtin_shufflevector(a[0], a[1], 0, 1, 2, 3, 4, 5, 6, 7));
    const EightWords right =
        __builtin_bit_cast(EightWords, __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 4, 5, 6, 7));
    // Both formats 0, e4m3; scales that are all 0 select the instruction without scales.
    sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(left, right, sum, 0, 0, 0, 0, 0, 0);
#else
    simulate_unit<MfmaTableFp8Wide>(sum, a, b, part);
#endif
  }
};
#endif

/** 16 x 16 results in fp64: a lane has 4 of one column of D, 4 rows apart. Each 16 lanes read a chunk of their own. */
struct MfmaFp64 {
  static constexpr u32 kWave = 64, kEdge = 16, kChunks = 1, kStepChunks = 4, kInstructions = 2, kRun = 1, kSums = 4;
  static constexpr bool kAhead = true;
  typedef MfmaSumFp64 Sum;
  GPUMARK_DEVICE u32 chunk(u32 lane, u32) { return lane / 16; }
  GPUMARK_DEVICE u32 result_row(u32 lane, u32 i) { return 4 * i + lane / 16; }
  GPUMARK_DEVICE void multiply(Sum& sum, const Chunk (&a)[kChunks], const Chunk (&b)[kChunks], u32 part) {
#if GPUMARK_AMD
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(half_of_chunk<double>(a[0], part), half_of_chunk<double>(b[0], part),
                                               sum, 0, 0, 0);
#else
    simulate_unit<MfmaTableFp64>(sum, a, b, part);
#endif
  }
};

}  // namespace gpumark::device
#endif
