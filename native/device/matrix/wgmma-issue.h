// The rate at which Hopper's matrix units take instructions: two warpgroups multiply the same tiles over and over, sums
// in registers, the tiles in shared memory (there is no other place for B). No copies, no results: what a product could
// reach at most.
#pragma once
#include "issue-expected.h"
#include "wgmma-ops.h"

namespace gpumark::device {

constexpr u32 kWgmmaIssueThreads = 256;
/** 128 bytes of k in each row: four instructions deep, gone through four times a round. */
constexpr u32 kWgmmaIssueBytesOfA = kWgmmaRows * 128, kWgmmaIssueBytes = kWgmmaIssueBytesOfA + kWgmmaColumns * 128;
static_assert(kUnitIssueInstructions == 4 * 4);

/** Elements of one 32-bit word, all 2^-5: every product is 2^-10. */
template <MatrixInput input>
constexpr u32 kWgmmaIssueWord = input == MatrixInput::fp16   ? 0x28002800
                                : input == MatrixInput::bf16 ? 0x3d003d00
                                : input == MatrixInput::tf32 ? 0x3d000000
                                                             : 0x10101010;

template <MatrixInput input, int sign>
GPUMARK_DEVICE void wgmma_issue_round(float (&sum)[kWgmmaSums], u64 a, u64 b) {
  wgmma_begin();
#pragma unroll
  for (u32 i = 0; i < kUnitIssueInstructions; ++i)
    wgmma<input, sign>(sum, wgmma_tile_at(a, i % 4 * kStepBytes), wgmma_tile_at(b, i % 4 * kStepBytes), 1);
  wgmma_end();
  wgmma_wait<1>(sum);
}

/** @returns how many of the rounds that are left it did */
template <MatrixInput input, int sign>
GPUMARK_DEVICE u64 wgmma_issue_rounds(float (&sum)[kWgmmaSums], u64 a, u64 b, u64 left) {
  const u64 rounds = left < kUnitIssueTurn ? left : kUnitIssueTurn;
#pragma unroll 1
  for (u64 round = 0; round < rounds; ++round) wgmma_issue_round<input, sign>(sum, a, b);
  return rounds;
}

template <MatrixInput input>
GPUMARK_DEVICE void wgmma_issue(const IssueArgs& args) {
  u32* words = static_cast<u32*>(dynamic_shared());
  for (u32 i = thread_index(); i < kWgmmaIssueBytes / 4; i += kWgmmaIssueThreads) words[i] = kWgmmaIssueWord<input>;
  stores_before_copies();
  block_barrier(kWgmmaIssueThreads);
  const u32 base = shared_address(words);
  const u64 a = wgmma_tile(base), b = wgmma_tile(base + kWgmmaIssueBytesOfA);
  float sum[kWgmmaSums];
#pragma unroll
  for (u32 i = 0; i < kWgmmaSums; ++i) sum[i] = 0;
  const u64 cycles = core_cycles(), ticks = timer_ticks();
  // What some rounds add as many take away again: the sums stay exact, in the units' 14 bits for fp8 too, after any
  // number of them.
  for (u64 left = args.rounds; left != 0;) {
    left -= wgmma_issue_rounds<input, 1>(sum, a, b, left);
    left -= wgmma_issue_rounds<input, -1>(sum, a, b, left);
  }
  wgmma_wait<0>(sum);
  const u64 spent_cycles = core_cycles() - cycles, spent_ticks = timer_ticks() - ticks;
  float total = 0;
#pragma unroll
  for (u32 i = 0; i < kWgmmaSums; ++i) total += sum[i];
  static_cast<float*>(args.out)[static_cast<u64>(block_index()) * kWgmmaIssueThreads + thread_index()] = total;
  if (thread_index() == 0) {
    args.clocks[2 * static_cast<u64>(block_index())] = spent_cycles;
    args.clocks[2 * static_cast<u64>(block_index()) + 1] = spent_ticks;
  }
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_WGMMA_ISSUE_KERNEL(name) extern "C" void name(const gpumark::device::IssueArgs args)
#else
#define GPUMARK_WGMMA_ISSUE_KERNEL(name)                                               \
  extern "C" __global__ void __launch_bounds__(gpumark::device::kWgmmaIssueThreads, 1) \
      name(const gpumark::device::IssueArgs args)
#endif

GPUMARK_WGMMA_ISSUE_KERNEL(gpumark_issue_wgmma_fp16) {
  gpumark::device::wgmma_issue<gpumark::device::MatrixInput::fp16>(args);
}
GPUMARK_WGMMA_ISSUE_KERNEL(gpumark_issue_wgmma_bf16) {
  gpumark::device::wgmma_issue<gpumark::device::MatrixInput::bf16>(args);
}
GPUMARK_WGMMA_ISSUE_KERNEL(gpumark_issue_wgmma_tf32) {
  gpumark::device::wgmma_issue<gpumark::device::MatrixInput::tf32>(args);
}
GPUMARK_WGMMA_ISSUE_KERNEL(gpumark_issue_wgmma_fp8) {
  gpumark::device::wgmma_issue<gpumark::device::MatrixInput::e4m3>(args);
}
