// NVIDIA's instructions that a warp executes together on registers, Turing to Blackwell: matrices out of shared memory,
// copies past the registers, products. PTX manual: "mma", "ldmatrix", "cp.async". Addresses of shared memory are those
// of its own window, 32 bits wide.
//
// Every 8 x 8 matrix of 16-bit numbers is 8 rows of 16 bytes, of which lane l has bytes 4 (l % 4) .. + 3 of row l / 4.
// Tiles of A are four of them (upper and lower 8 rows, then the same 16 bytes further along k), tiles of B two; what a
// number is makes no difference.
#pragma once
#include "../block.h"

#if GPUMARK_SIMULATED
#include "mma-sync-simulated.h"
#endif

namespace gpumark::device::mma_sync {

/** Where the launch's shared memory begins in the window. */
GPUMARK_DEVICE u32 shared_window() {
#if GPUMARK_SIMULATED
  return 0;
#else
  return static_cast<u32>(__cvta_generic_to_shared(dynamic_shared()));
#endif
}

/** Four matrices; lane l gives the address of row l % 8 of matrix l / 8, a multiple of 16. */
GPUMARK_DEVICE void load_matrices(u32 (&to)[4], u32 address) {
#if GPUMARK_SIMULATED
  simulated::load_matrices(to, address);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
#endif
}

/** Two neighbouring numbers at a multiple of 16. */
GPUMARK_DEVICE void load_pair(double& first, double& second, u32 address) {
#if GPUMARK_SIMULATED
  simulated::load_pair(first, second, address);
#else
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(first), "=d"(second) : "r"(address) : "memory");
#endif
}

GPUMARK_DEVICE void load_one(double& number, u32 address) {
#if GPUMARK_SIMULATED
  simulated::load_one(number, address);
#else
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(number) : "r"(address) : "memory");
#endif
}

/** `count` vectors of four numbers, `step` bytes apart, from a multiple of 16 on. */
template <u32 count, u32 step>
GPUMARK_DEVICE void load_quads(float* to, u32 address) {
#if GPUMARK_SIMULATED
  simulated::load_quads<count, step>(to, address);
#else
#pragma unroll
  for (u32 i = 0; i < count; ++i) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[4 * i]), "=f"(to[4 * i + 1]), "=f"(to[4 * i + 2]), "=f"(to[4 * i + 3])
                 : "r"(address + i * step)
                 : "memory");
  }
#endif
}

/** Writes of the warp's lanes to shared memory before, reads after. */
GPUMARK_DEVICE void warp_barrier() {
#if GPUMARK_SIMULATED
  simulated::warp_barrier();
#else
  __syncwarp();
#endif
}

/** Two numbers of 16 bits, the first in the lower half. */
GPUMARK_DEVICE u32 half_pair_bits(float x, float y) {
#if GPUMARK_SIMULATED
  return simulated::pair_bits(NumberFormat::fp16, x, y);
#else
  u32 bits;
#if __CUDA_ARCH__ >= 800
  asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(bits) : "f"(x), "f"(y));
#else
  asm("{ .reg .f16 a, b; cvt.rn.f16.f32 a, %1; cvt.rn.f16.f32 b, %2; mov.b32 %0, {a, b}; }"
      : "=r"(bits)
      : "f"(x), "f"(y));
#endif
  return bits;
#endif
}

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
GPUMARK_DEVICE u32 brain_pair_bits(float x, float y) {
#if GPUMARK_SIMULATED
  return simulated::pair_bits(NumberFormat::bf16, x, y);
#else
  u32 bits;
  asm("cvt.rn.bf16x2.f32 %0, %2, %1;" : "=r"(bits) : "f"(x), "f"(y));
  return bits;
#endif
}

/** Copies of this thread from global to shared memory that go on by themselves, in groups. */
struct Copies {
#if GPUMARK_SIMULATED
  simulated::CopyQueue queue;
#endif
  /** 16 bytes, both addresses multiples of 16; past the first-level cache. */
  GPUMARK_MEMBER void copy(u32 to, const void* from) {
#if GPUMARK_SIMULATED
    queue.copy<16>(to, from);
#elif __CUDA_ARCH__ >= 890
    // The 64 bytes beside it are the ones that the next step along k wants.
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#endif
  }
  /** 4 bytes, both addresses multiples of 4; through the first-level cache, where the rest of the line waits. */
  GPUMARK_MEMBER void copy_word(u32 to, const void* from) {
#if GPUMARK_SIMULATED
    queue.copy<4>(to, from);
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
#endif
  }
  /** The copies since the last call are a group, even if there are none. */
  GPUMARK_MEMBER void commit() {
#if GPUMARK_SIMULATED
    queue.commit();
#else
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }
  /** Until at most the last `groups` groups are under way. Other threads see what was copied after a barrier. */
  template <u32 groups>
  GPUMARK_MEMBER void wait() {
#if GPUMARK_SIMULATED
    queue.wait(groups);
#else
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
  }
};
#endif

}  // namespace gpumark::device::mma_sync
