// How fast mma.sync can be issued: products on registers alone, of inputs that are all alike. No data move and no bit
// of an input ever changes but its sign, so a card draws less power here than in any real product: not a figure to
// expect of one.
#pragma once
#include "issue-expected.h"
#include "mma-sync-multiply.h"

namespace gpumark::device::mma_sync {

/**
 * Independent sums of a warp, 16 x 8 each, and products into each of them per round. Two warps on a scheduler hide 16
 * products' latency.
 */
constexpr u32 kIssueChains = 8;
constexpr u32 kIssueSteps = kMmaSyncIssueInstructions / kIssueChains;

/** What a thread carries. `one` is the input's number 1 as often as a register holds it, `sign` its sign bits. */
template <class Numbers, u32 one, u32 sign>
struct IssueChains {
  float sum[kIssueChains][4];
  u32 a[4], b[2];
  GPUMARK_MEMBER IssueChains() {
#pragma unroll
    for (u32 i = 0; i < 4 * kIssueChains; ++i) sum[i / 4][i % 4] = 0;
    a[0] = a[1] = a[2] = a[3] = b[0] = b[1] = one;
  }
  GPUMARK_MEMBER void multiply(u32 i) { Numbers::multiply(sum[i], a, b); }
  GPUMARK_MEMBER void turn() {
#pragma unroll
    for (u32 i = 0; i < 4; ++i) a[i] ^= sign;
  }
};

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
struct DoubleIssueChains {
  double sum[kIssueChains][4];
  double a[4], b[2];
  GPUMARK_MEMBER DoubleIssueChains() {
#pragma unroll
    for (u32 i = 0; i < 4 * kIssueChains; ++i) sum[i / 4][i % 4] = 0;
    a[0] = a[1] = a[2] = a[3] = b[0] = b[1] = 1;
  }
  GPUMARK_MEMBER void multiply(u32 i) {
#if !GPUMARK_SIMULATED && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1030
    multiply_fp64_whole(sum[i], a, b);
#else
    multiply_fp64_parts(sum[i], a, b);
#endif
  }
  GPUMARK_MEMBER void turn() {
#pragma unroll
    for (u32 i = 0; i < 4; ++i) a[i] = -a[i];
  }
};
#endif

/** Runs the rounds, and leaves the sum of all sums and the two clocks. */
template <class Chains>
GPUMARK_DEVICE void run_issue(const IssueArgs& args) {
  Chains chains;
  const u64 cycles = core_cycles();
  const u64 ticks = timer_ticks();
#pragma unroll 1
  for (u64 round = 0; round < args.rounds; ++round) {
#pragma unroll
    for (u32 step = 0; step < kIssueSteps; ++step) {
#pragma unroll
      for (u32 i = 0; i < kIssueChains; ++i) chains.multiply(i);
    }
    if (round % kMmaSyncIssueTurn == kMmaSyncIssueTurn - 1) chains.turn();
  }
  const u64 spent_cycles = core_cycles() - cycles;
  const u64 spent_ticks = timer_ticks() - ticks;
  // All are whole numbers below 2^24, of which every order of adding gives the same.
  float total = 0;
#pragma unroll
  for (u32 i = 0; i < 4 * kIssueChains; ++i) total += static_cast<float>(chains.sum[i / 4][i % 4]);
  static_cast<float*>(args.out)[global_thread()] = total;
  if (thread_index() == 0) {
    args.clocks[2 * static_cast<u64>(block_index())] = spent_cycles;
    args.clocks[2 * static_cast<u64>(block_index()) + 1] = spent_ticks;
  }
}

}  // namespace gpumark::device::mma_sync

#define GPUMARK_MMA_SYNC_ISSUE_KERNEL(type, ...)                  \
  GPUMARK_PAIR_KERNEL(gpumark_issue_mma_sync_##type, IssueArgs) { \
    using namespace gpumark::device::mma_sync;                    \
    run_issue<__VA_ARGS__>(args);                                 \
  }
GPUMARK_MMA_SYNC_ISSUE_KERNEL(fp16, IssueChains<Half, 0x3c003c00, 0x80008000>)
#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
GPUMARK_MMA_SYNC_ISSUE_KERNEL(bf16, IssueChains<Brain, 0x3f803f80, 0x80008000>)
GPUMARK_MMA_SYNC_ISSUE_KERNEL(tf32, IssueChains<Tf32, 0x3f800000, 0x80000000>)
#endif
#if GPUMARK_HAS_QUARTER_MMA
GPUMARK_MMA_SYNC_ISSUE_KERNEL(fp8, IssueChains<Quarter, 0x38383838, 0x80808080>)
#endif
#if GPUMARK_SIMULATED || __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1030)
GPUMARK_MMA_SYNC_ISSUE_KERNEL(fp64, DoubleIssueChains)
#endif
