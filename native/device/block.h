// Threads of a block that work together. On a GPU each thread runs the code once; the simulated driver calls such a kernel once per block
// and goes through the threads at every GPUMARK_EACH_THREAD, which is why a barrier stands only between those.
#pragma once
#include "portable.h"

#if GPUMARK_SIMULATED
#define GPUMARK_SHARED
#define GPUMARK_EACH_THREAD(thread) for (gpumark::device::u32 thread = 0; thread < gpumark::device::kBlockThreads; ++thread)
#else
#define GPUMARK_SHARED __attribute__((shared))
#define GPUMARK_EACH_THREAD(thread) if (const gpumark::device::u32 thread = gpumark::device::thread_index(); true)
#endif

namespace gpumark::device {

/** What each thread of the block has of its own between the barriers. */
template <class Type>
struct PerThread {
#if GPUMARK_SIMULATED
  Type of[kBlockThreads];
  Type& operator()(u32 thread) { return of[thread]; }
#else
  Type own;
  GPUMARK_MEMBER Type& operator()(u32) { return own; }
#endif
};

/** No thread goes on before all of the block are here and see what the others wrote to shared memory. */
GPUMARK_DEVICE void block_barrier() {
#if GPUMARK_NVIDIA && defined(__clang__)
  __nvvm_barrier_sync(0);
#elif GPUMARK_NVIDIA
  __syncthreads();
#elif GPUMARK_AMD
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#endif
}

}  // namespace gpumark::device
