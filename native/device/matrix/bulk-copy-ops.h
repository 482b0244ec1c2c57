// Hopper's instructions for copies that nobody waits for: barriers in shared memory that count bytes, boxes of a tensor
// map, clusters. Addresses of shared memory are those of the hardware's own window, 32 bits wide.
#pragma once
#include "../block.h"
#include "../gemm-kernels.h"
#if GPUMARK_SIMULATED
#include "bulk-copy-simulated.h"
#endif

namespace gpumark::device {

/**
 * No wait is longer: a copy that never comes gives a wrong product, which the proof finds, and not a kernel that hangs.
 */
constexpr u64 kPatienceNanoseconds = 2000000000;

GPUMARK_DEVICE u32 shared_address(const void* pointer) {
#if GPUMARK_SIMULATED
  return simulated::window_address(pointer);
#else
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
#endif
}

GPUMARK_DEVICE u32 cluster_rank() {
#if GPUMARK_SIMULATED
  return gpumark_sim_cluster_rank();
#else
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#endif
}

/** All threads of the cluster are here, and see what the others' have written to shared memory. */
GPUMARK_DEVICE void cluster_barrier() {
#if GPUMARK_SIMULATED
  gpumark_sim_cluster_barrier();
#else
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
#endif
}

/** A phase of the barrier ends when `arrivals` have come and no byte is awaited. */
GPUMARK_DEVICE void barrier_begin(u32 barrier, u32 arrivals) {
#if GPUMARK_SIMULATED
  simulated::barrier_begin(barrier, arrivals);
#else
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
#endif
}

/** Before the cluster's other blocks, and copies, use the barriers that this thread began. */
GPUMARK_DEVICE void barriers_visible() {
#if !GPUMARK_SIMULATED
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/** Arrives, and has the phase wait for `bytes` more. */
GPUMARK_DEVICE void barrier_arrive_awaiting(u32 barrier, u32 bytes) {
#if GPUMARK_SIMULATED
  simulated::barrier_arrive(gpumark_sim_cluster_rank(), barrier, bytes);
#else
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
#endif
}

/** Arrives at the same barrier of the block `rank` of the cluster. */
GPUMARK_DEVICE void barrier_arrive_at(u32 barrier, u32 rank) {
#if GPUMARK_SIMULATED
  simulated::barrier_arrive(rank, barrier, 0);
#else
  asm volatile(
      "{\n\t.reg .b32 remote;\n\t"
      "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t}" ::"r"(barrier),
      "r"(rank)
      : "memory");
#endif
}

/** Whether the phase of this parity is over; the hardware lets the thread sleep for a while before it says no. */
GPUMARK_DEVICE bool barrier_passed(u32 barrier, u32 parity) {
#if GPUMARK_SIMULATED
  return simulated::barrier_passed(barrier, parity);
#else
  u32 passed;
  asm volatile(
      "{\n\t.reg .pred over;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, over;\n\t}"
      : "=r"(passed)
      : "r"(barrier), "r"(parity)
      : "memory");
  return passed != 0;
#endif
}

/** @returns false when patience is over. A barrier whose first phase has not ended is past the phase of parity 1. */
GPUMARK_DEVICE bool barrier_wait(u32 barrier, u32 parity) {
  if (barrier_passed(barrier, parity)) return true;
#if GPUMARK_SIMULATED
  while (!barrier_passed(barrier, parity)) gpumark_sim_pause();
  return true;
#else
  const u64 begin = timer_ticks();
  while (!barrier_passed(barrier, parity)) {
    if (timer_ticks() - begin > kPatienceNanoseconds) return false;
  }
  return true;
#endif
}

/**
 * What this thread stored in shared memory is there for copies and matrix units, which look past the order of ordinary
 * accesses.
 */
GPUMARK_DEVICE void stores_before_copies() {
#if !GPUMARK_SIMULATED
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/** The map is needed soon: it is 128 bytes of the kernel's arguments. */
GPUMARK_DEVICE void prefetch_map(const TensorMap& map) {
#if GPUMARK_SIMULATED
  (void)map;
#else
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
#endif
}

/**
 * Copies the map's box that begins at (x, y) to `to`, and then tells `barrier` how many bytes came: all of the box,
 * beyond the array 0.
 */
GPUMARK_DEVICE void load_box(u32 to, const TensorMap& map, u32 x, u32 y, u32 barrier) {
#if GPUMARK_SIMULATED
  simulated::load_box(to, map, x, y, barrier, 1u << gpumark_sim_cluster_rank());
#else
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
#endif
}

/**
 * The same to the same place of each block of the cluster whose bit is set in `blocks`, and to each one's own barrier.
 */
GPUMARK_DEVICE void load_box_to(u32 blocks, u32 to, const TensorMap& map, u32 x, u32 y, u32 barrier) {
#if GPUMARK_SIMULATED
  simulated::load_box(to, map, x, y, barrier, blocks);
#else
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"(static_cast<unsigned short>(blocks))
      : "memory");
#endif
}

/** Copies `bytes`, a multiple of 16, from memory to `to`, and then tells `barrier` how many came. */
GPUMARK_DEVICE void load_bytes(u32 to, const void* from, u32 bytes, u32 barrier) {
#if GPUMARK_SIMULATED
  simulated::load_bytes(to, from, bytes, barrier);
#else
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
#endif
}

}  // namespace gpumark::device
