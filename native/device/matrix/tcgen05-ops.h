// Data-centre Blackwell's matrix instructions: one thread starts a multiplication of two tiles in shared memory, whose
// sums lie in the block's tensor memory, 128 rows ("lanes") of 512 columns of 32 bits. PTX manual, "TensorCore 5th
// Generation Family Instructions".
#pragma once
#include "../number-formats.h"
#include "bulk-copy-ops.h"
#include "matrix-input.h"

namespace gpumark::device {

constexpr u32 kTensorRows = 128;
constexpr u32 kTensorColumns = 512;
/** What one instruction multiplies: 128 x 32 bytes of A with 256 x 32 bytes of B. */
constexpr u32 kTensorTileN = 256;
/** Columns that one load brings. */
constexpr u32 kTensorLoad = 32;

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#include "tcgen05-simulated.h"
#endif

namespace gpumark::device {

/**
 * A tile as copied with the 128-byte swizzle: bits 0-13 the address, 32-45 from one 8 rows to the next, both in 16
 * bytes, 46-48 the number 1, 61-63 the swizzle (2: 128 bytes). Bits 16-29 mean nothing in this layout.
 */
GPUMARK_DEVICE u64 tensor_tile(u32 address) {
  return u64{2} << 61 | u64{1} << 46 | u64{1024 >> 4} << 32 | u64{1} << 16 | (address & 0x3ffff) >> 4;
}
GPUMARK_DEVICE u64 tensor_tile_at(u64 tile, u32 bytes) { return tile + (bytes >> 4); }

/**
 * Bits 4-5: sums in fp32, 7-9 and 10-12: the inputs, by the kind of instruction, 13: minus A, 17-22: columns / 8,
 * 24-28: rows / 16.
 */
template <MatrixInput input, int sign = 1>
constexpr u32 kTensorProduct = 1u << 4 |
                               (input == MatrixInput::bf16   ? 1u
                                : input == MatrixInput::tf32 ? 2u
                                                             : 0u) *
                                   (1u << 7 | 1u << 10) |
                               (sign < 0 ? 1u << 13 : 0u) | kTensorTileN / 8 << 17 | kTensorRows / 16 << 24;

/**
 * The instructions below are for a whole warp at once ("aligned"), of which one thread may have gone another way
 * before.
 */
GPUMARK_DEVICE void warp_together() {
#if !GPUMARK_SIMULATED
  __syncwarp();
#endif
}

/**
 * All columns of the tensor memory for this block; where they begin is written to shared memory. One warp, all of it.
 */
GPUMARK_DEVICE void take_tensor_memory(u32 to) {
#if GPUMARK_SIMULATED
  simulated::take_tensor_memory(to);
#else
  warp_together();
  asm volatile(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;\n\t"
      "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::"r"(to),
      "n"(kTensorColumns)
      : "memory");
#endif
}
/** By the warp that took it. */
GPUMARK_DEVICE void give_tensor_memory(u32 memory) {
#if GPUMARK_SIMULATED
  simulated::give_tensor_memory(memory);
#else
  warp_together();
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(memory), "n"(kTensorColumns) : "memory");
#endif
}

GPUMARK_DEVICE u32 shared_word(u32 address) {
#if GPUMARK_SIMULATED
  return simulated::shared_word(address);
#else
  u32 word;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
#endif
}

/** Between what this thread did with the tensor memory and telling others, and the other way round. */
GPUMARK_DEVICE void before_telling() {
#if !GPUMARK_SIMULATED
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
#endif
}
GPUMARK_DEVICE void after_hearing() {
#if !GPUMARK_SIMULATED
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#endif
}

/**
 * Starts sums = sign * A * B^T (+ sums, where `adds` is not 0) in 256 columns from `sums` on: row i in lane i. One
 * thread.
 */
template <MatrixInput input, int sign = 1>
GPUMARK_DEVICE void tensor_multiply(u32 sums, u64 a, u64 b, u32 adds) {
#if GPUMARK_SIMULATED
  simulated::tensor_multiply(sums, a, b, kTensorProduct<input, sign>,
                             input == MatrixInput::tf32   ? 1
                             : input == MatrixInput::e4m3 ? 2
                                                          : 0,
                             adds);
#else
#define GPUMARK_TENSOR_MULTIPLY(kind)                                                                      \
  asm volatile("{\n\t.reg .pred adds;\n\tsetp.ne.b32 adds, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::" kind \
               " [%0], %1, %2, %3, adds;\n\t}" ::"r"(sums),                                                \
               "l"(a), "l"(b), "r"(kTensorProduct<input, sign>), "r"(adds)                                 \
               : "memory")
  if constexpr (input == MatrixInput::tf32)
    GPUMARK_TENSOR_MULTIPLY("tf32");
  else if constexpr (input == MatrixInput::e4m3)
    GPUMARK_TENSOR_MULTIPLY("f8f6f4");
  else
    GPUMARK_TENSOR_MULTIPLY("f16");
#endif
}

/** Once all multiplications that this thread has started are over, one arrival at the barrier. */
GPUMARK_DEVICE void arrive_when_multiplied(u32 barrier) {
#if GPUMARK_SIMULATED
  simulated::arrive_when_multiplied(1u << gpumark_sim_cluster_rank(), barrier);
#else
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier) : "memory");
#endif
}
/** The same at this barrier of each block of the cluster whose bit is set. */
GPUMARK_DEVICE void arrive_when_multiplied_at(u32 blocks, u32 barrier) {
#if GPUMARK_SIMULATED
  simulated::arrive_when_multiplied(blocks, barrier);
#else
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
          barrier),
      "h"(static_cast<unsigned short>(blocks))
      : "memory");
#endif
}

/**
 * Thread t of a warp gets columns `from` to from + 31 of lane 32 * (warp % 4) + t, which `from` says in its upper half.
 * Wait before use.
 */
GPUMARK_DEVICE void load_sums(u32 from, u32 (&sum)[kTensorLoad]) {
#if GPUMARK_SIMULATED
  simulated::load_sums(from, sum);
#else
#define GPUMARK_WORDS_8(i)                                                                                \
  "=r"(sum[i]), "=r"(sum[i + 1]), "=r"(sum[i + 2]), "=r"(sum[i + 3]), "=r"(sum[i + 4]), "=r"(sum[i + 5]), \
      "=r"(sum[i + 6]), "=r"(sum[i + 7])
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
      "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];"
      : GPUMARK_WORDS_8(0), GPUMARK_WORDS_8(8), GPUMARK_WORDS_8(16), GPUMARK_WORDS_8(24)
      : "r"(from)
      : "memory");
#endif
}
/** They are there; they are named so that nothing that uses them comes before. */
GPUMARK_DEVICE void wait_for_sums(u32 (&sum)[kTensorLoad]) {
#if GPUMARK_SIMULATED
  simulated::wait_for_sums(sum);
#else
#define GPUMARK_KEEP_8(i)                                                                                 \
  "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3]), "+r"(sum[i + 4]), "+r"(sum[i + 5]), \
      "+r"(sum[i + 6]), "+r"(sum[i + 7])
  asm volatile("tcgen05.wait::ld.sync.aligned;"
               : GPUMARK_KEEP_8(0), GPUMARK_KEEP_8(8), GPUMARK_KEEP_8(16), GPUMARK_KEEP_8(24)
               :
               : "memory");
#endif
}

}  // namespace gpumark::device
