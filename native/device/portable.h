// The few words in which nvcc, clang (CUDA and HIP, freestanding) and g++ (simulated driver) differ.
#pragma once
#include "kernels.h"

#if defined(__HIP__)
#define GPUMARK_AMD 1
#elif defined(__CUDACC__) || defined(__CUDA__)
#define GPUMARK_NVIDIA 1
#else
#define GPUMARK_SIMULATED 1
#endif

#if GPUMARK_SIMULATED
#define GPUMARK_DEVICE static inline
#define GPUMARK_MEMBER
#define GPUMARK_KERNEL(name, Args) extern "C" void name(const gpumark::device::Args args)
#define GPUMARK_PAIR_KERNEL GPUMARK_KERNEL
/** Set by the simulated driver before each thread is run. */
extern thread_local gpumark::device::u32 gpumark_sim_block, gpumark_sim_thread;
extern "C" gpumark::device::u64 gpumark_sim_cycles();
extern "C" gpumark::device::u64 gpumark_sim_ticks();
extern "C" void gpumark_sim_yield();
#else
#define GPUMARK_DEVICE static __attribute__((device)) __attribute__((always_inline)) inline
#define GPUMARK_MEMBER __attribute__((device)) __attribute__((always_inline))
#if GPUMARK_AMD
#define GPUMARK_BOUNDS __attribute__((amdgpu_flat_work_group_size(256, 256)))
#define GPUMARK_PAIR_BOUNDS GPUMARK_BOUNDS
#else
#define GPUMARK_BOUNDS __attribute__((launch_bounds(256)))
/** Registers enough for two blocks per multiprocessor, of which one multiplies while the other waits. */
#define GPUMARK_PAIR_BOUNDS __attribute__((launch_bounds(256, 2)))
#endif
#define GPUMARK_KERNEL(name, Args) \
  extern "C" __attribute__((global)) GPUMARK_BOUNDS void name(const gpumark::device::Args args)
/** For kernels whose threads work together (block.h): registers for two blocks per multiprocessor. */
#define GPUMARK_PAIR_KERNEL(name, Args) \
  extern "C" __attribute__((global)) GPUMARK_PAIR_BOUNDS void name(const gpumark::device::Args args)
#endif

namespace gpumark::device {

// ---- where am I

GPUMARK_DEVICE u32 block_index() {
#if GPUMARK_AMD
  return __builtin_amdgcn_workgroup_id_x();
#elif GPUMARK_NVIDIA && defined(__clang__)
  return static_cast<u32>(__nvvm_read_ptx_sreg_ctaid_x());
#elif GPUMARK_NVIDIA
  return blockIdx.x;
#else
  return gpumark_sim_block;
#endif
}

GPUMARK_DEVICE u32 thread_index() {
#if GPUMARK_AMD
  return __builtin_amdgcn_workitem_id_x();
#elif GPUMARK_NVIDIA && defined(__clang__)
  return static_cast<u32>(__nvvm_read_ptx_sreg_tid_x());
#elif GPUMARK_NVIDIA
  return threadIdx.x;
#else
  return gpumark_sim_thread;
#endif
}

GPUMARK_DEVICE u64 global_thread() { return static_cast<u64>(block_index()) * kBlockThreads + thread_index(); }

// ---- clocks: cycles of the core, and a timer of constant rate (1 GHz on NVIDIA, the device's wall clock on AMD)

GPUMARK_DEVICE u64 core_cycles() {
#if GPUMARK_NVIDIA
  u64 now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
  return now;
#elif GPUMARK_AMD
  return __builtin_readcyclecounter();
#else
  return gpumark_sim_cycles();
#endif
}

GPUMARK_DEVICE u64 timer_ticks() {
#if GPUMARK_NVIDIA
  u64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#elif GPUMARK_AMD
  return __builtin_readsteadycounter();
#else
  return gpumark_sim_ticks();
#endif
}

// ---- 16-byte vectors

#if defined(__clang__)
typedef double DoublePair __attribute__((ext_vector_type(2)));
typedef u64 WordPair __attribute__((ext_vector_type(2)));
#elif GPUMARK_NVIDIA
typedef double2 DoublePair;
typedef ulonglong2 WordPair;
#else
struct alignas(16) DoublePair {
  double x, y;
};
struct alignas(16) WordPair {
  u64 x, y;
};
#endif

template <class Pair, class Number>
GPUMARK_DEVICE Pair pair_of(Number x, Number y) {
  Pair pair;
  pair.x = x;
  pair.y = y;
  return pair;
}

/**
 * Data that is used once. On CDNA the hint keeps streams out of the way of each other; on NVIDIA the plain form is the
 * fast one.
 */
template <class Vector>
GPUMARK_DEVICE Vector stream_load(const Vector* from) {
#if GPUMARK_AMD
  return __builtin_nontemporal_load(from);
#else
  return *from;
#endif
}

template <class Vector>
GPUMARK_DEVICE void stream_store(Vector* to, Vector value) {
#if GPUMARK_AMD
  __builtin_nontemporal_store(value, to);
#else
  *to = value;
#endif
}

/** Past the first-level cache, from the second level on. */
GPUMARK_DEVICE WordPair second_level_load(const WordPair* from) {
#if GPUMARK_NVIDIA
  WordPair pair;
  u64 x, y;
  asm volatile("ld.global.cg.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(from));
  pair.x = x;
  pair.y = y;
  return pair;
#elif GPUMARK_AMD
  // A relaxed load of device scope must not be answered by a cache that other cores do not share; 8 bytes is the widest
  // such load.
  const u64* words = reinterpret_cast<const u64*>(from);
  return pair_of<WordPair>(__scoped_atomic_load_n(words, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE),
                           __scoped_atomic_load_n(words + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
#else
  return *from;
#endif
}

GPUMARK_DEVICE u64 second_level_load(const u64* from) {
#if GPUMARK_NVIDIA
  u64 word;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(word) : "l"(from));
  return word;
#elif GPUMARK_AMD
  return __scoped_atomic_load_n(from, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return *from;
#endif
}

/** What the host may change at any time. */
GPUMARK_DEVICE u32 host_load(const u32* from) {
#if GPUMARK_AMD
  return __scoped_atomic_load_n(from, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
#elif GPUMARK_SIMULATED
  gpumark_sim_yield();
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
#else
  return *const_cast<const volatile u32*>(from);
#endif
}

/** @returns what the counter was before */
GPUMARK_DEVICE u64 add_to(u64* counter, u64 amount) {
#if GPUMARK_SIMULATED
  return __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
#elif defined(__clang__)
  return __scoped_atomic_fetch_add(counter, amount, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return atomicAdd(counter, amount);
#endif
}

// ---- fused multiply-add, one rounding

GPUMARK_DEVICE float multiply_add(float x, float factor, float addend) { return __builtin_fmaf(x, factor, addend); }
GPUMARK_DEVICE double multiply_add(double x, double factor, double addend) { return __builtin_fma(x, factor, addend); }

}  // namespace gpumark::device
