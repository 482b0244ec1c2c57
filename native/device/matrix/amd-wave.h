// What the matrix kernels for AMD share: 16-byte chunks, the barrier that waits for local memory alone, tiles in an
// order that suits chiplets.
#pragma once
#include "block.h"
#include "number-formats.h"
#if GPUMARK_SIMULATED
#include "half-words.h"
#endif

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

#if GPUMARK_AMD
typedef u32 Chunk __attribute__((ext_vector_type(4), may_alias));
#else
struct __attribute__((may_alias, aligned(16))) Chunk {
  u32 x, y, z, w;
};
/**
 * Lets waves drift apart, so that what only happens to be in time does not stay so: now and then a thread lets all
 * others go first.
 */
GPUMARK_DEVICE void drift() {
  static thread_local u64 calls = 0;
  constexpr u32 kTurns = 24;
  if (random_word(gpumark_sim_thread, ++calls) % 997 != 0) return;
  for (u32 i = 0; i < kTurns; ++i) {
    gpumark_sim_progress();
    gpumark_sim_pause();
  }
}
#endif

/** The same in all lanes of the wave, and the compiler is told so: addresses made of it live in scalar registers. */
GPUMARK_DEVICE u32 uniform(u32 value) {
#if GPUMARK_AMD
  return __builtin_amdgcn_readfirstlane(value);
#else
  return value;
#endif
}

/**
 * Stands for the same number, of which the compiler from here on knows nothing: it must be in a register here, and is
 * not computed anew.
 */
template <class Number>
GPUMARK_DEVICE void opaque(Number& number) {
#if GPUMARK_AMD
  asm volatile("" : "+v"(number));
#else
  (void)number;
#endif
}

/** The lanes of this wave see what each other wrote to local memory. */
template <u32 lanes>
GPUMARK_DEVICE void wave_barrier() {
#if GPUMARK_AMD
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#else
  drift();
  gpumark_sim_together(lanes, nullptr, [](void* const*) {});
#endif
}

// ---- the number that a sum is written as

struct AsFp64 {
  typedef double Word;
  GPUMARK_DEVICE Word of(double sum) { return sum; }
};
struct AsFp32 {
  typedef float Word;
  GPUMARK_DEVICE Word of(float sum) { return sum; }
};
struct AsFp16 {
  typedef unsigned short Word;
  GPUMARK_DEVICE Word of(float sum) {
#if GPUMARK_AMD
    return __builtin_bit_cast(Word, static_cast<_Float16>(sum));
#else
    return half_of(sum);
#endif
  }
};
struct AsBf16 {
  typedef unsigned short Word;
  GPUMARK_DEVICE Word of(float sum) {
#if GPUMARK_AMD
    return __builtin_bit_cast(Word, static_cast<__bf16>(sum));
#else
    return static_cast<Word>(sum == sum ? encode_number(NumberFormat::bf16, sum) : 0x7fc0);
#endif
  }
};

// ---- which tile a block makes

struct AmdTile {
  u32 row, column;
};

/**
 * Blocks are dealt to the chiplets of gfx942 and gfx950 in turn: consecutive places go to every eighth block, so that
 * the blocks of a chiplet, which share a second-level cache, are neighbours. With other numbers of chiplets it is
 * merely another order.
 */
GPUMARK_DEVICE u32 place_in_chiplets(u32 block, u32 blocks) {
#if defined(__gfx942__) || defined(__gfx950__) || GPUMARK_SIMULATED
  constexpr u32 kChiplets = 8;
  const u32 chiplet = block % kChiplets, rest = blocks % kChiplets;
  return chiplet * (blocks / kChiplets) + (chiplet < rest ? chiplet : rest) + block / kChiplets;
#else
  (void)blocks;
  return block;
#endif
}

/** Bands of `band` rows of tiles, column by column within a band: neighbours share rows of A and of B. */
template <u32 band>
GPUMARK_DEVICE AmdTile amd_tile(u32 place, u32 tiles_down, u32 tiles_across) {
  const u32 first = place / (band * tiles_across) * band;
  const u32 rows = tiles_down - first < band ? tiles_down - first : band;
  const u32 within = place - first * tiles_across;
  return {first + within % rows, within / rows};
}

}  // namespace gpumark::device
#endif
