// Threads of a block that work together. On a GPU this is what the hardware does; the simulated driver gives every
// thread of a block its own stack and changes from one to the next at the calls of this file.
#pragma once
#include "portable.h"

#if GPUMARK_SIMULATED
extern "C" {
/**
 * Shared memory of the block with this rank in the calling thread's cluster; every byte is 0xff when the block begins.
 */
void* gpumark_sim_shared(gpumark::device::u32 rank);
gpumark::device::u32 gpumark_sim_cluster_rank();
/** Until `threads` threads of the block are at barrier `id` (0..15). */
void gpumark_sim_barrier(gpumark::device::u32 id, gpumark::device::u32 threads);
/** Until all threads of the cluster are here. */
void gpumark_sim_cluster_barrier();
/**
 * An instruction that `lanes` neighbouring threads execute as one (a warp 32 or 64, a warpgroup 128): each brings what
 * it has; once all are here, `act` is called once with all of it, in the order of the lanes.
 */
void gpumark_sim_together(gpumark::device::u32 lanes, void* own, void (*act)(void* const* all));
/**
 * To be called in loops that wait for other threads: lets them run. A block in which all only wait is ended as a failed
 * launch.
 */
void gpumark_sim_pause();
/** Something happened that a waiting thread may be waiting for. */
void gpumark_sim_progress();
/** A number that no other run of a cluster has, on any thread: what was kept under another one is stale. */
gpumark::device::u64 gpumark_sim_run();
}
#endif

/** Shared memory whose size the compiler knows, at most 48 KiB (AMD: 64). */
#if GPUMARK_SIMULATED
#define GPUMARK_SHARED(Type, name) Type& name = *static_cast<Type*>(gpumark_sim_shared(gpumark_sim_cluster_rank()))
#else
#define GPUMARK_SHARED(Type, name) __attribute__((shared)) Type name
#endif

namespace gpumark::device {

/** Shared memory of the size that the launch gives, aligned to 1024 bytes, as the widest swizzle of copies asks for. */
GPUMARK_DEVICE void* dynamic_shared() {
#if GPUMARK_SIMULATED
  return gpumark_sim_shared(gpumark_sim_cluster_rank());
#elif GPUMARK_NVIDIA && !defined(__clang__)
  extern __shared__ __align__(1024) unsigned char gpumark_dynamic_shared[];
  return gpumark_dynamic_shared;
#else
  return nullptr;
#endif
}

/** No thread goes on before all of the block are here and see what the others wrote to shared memory. */
GPUMARK_DEVICE void block_barrier(u32 threads = kBlockThreads) {
#if GPUMARK_NVIDIA && defined(__clang__)
  (void)threads;
  __nvvm_barrier_sync(0);
#elif GPUMARK_NVIDIA
  (void)threads;
  __syncthreads();
#elif GPUMARK_AMD
  (void)threads;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#else
  gpumark_sim_barrier(0, threads);
#endif
}

/**
 * All of the block are here and see what the others wrote to shared memory, and that alone: unlike block_barrier it
 * orders nothing in global memory. On AMD loads from there stay on their way, and RDNA keeps the lines in its
 * first-level cache, which the wider fence invalidates: a tile of 32 bytes per row would fetch each 128-byte line four
 * times.
 */
GPUMARK_DEVICE void local_barrier(u32 threads = kBlockThreads) {
#if GPUMARK_AMD
  (void)threads;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
#else
  block_barrier(threads);
#endif
}

}  // namespace gpumark::device
