// The rate at which Blackwell's matrix units take instructions: one thread multiplies the same tiles in shared memory
// over and over, sums in tensor memory. No copies, no results: what a product could reach at most.
#pragma once
#include "issue-expected.h"
#include "tcgen05-ops.h"

namespace gpumark::device {

constexpr u32 kTensorIssueThreads = 128;
constexpr u32 kTensorIssueBytesOfA = kTensorRows * 128, kTensorIssueTiles = kTensorIssueBytesOfA + kTensorTileN * 128;
/** Behind the tiles: a barrier for each of two rounds under way, and where the tensor memory begins. */
constexpr u32 kTensorIssueWord = kTensorIssueTiles + 16;
static_assert(kUnitIssueInstructions == 4 * 4);

/** Elements of one 32-bit word, all 2^-5: every product is 2^-10. */
template <MatrixInput input>
constexpr u32 kTensorIssueElements = input == MatrixInput::fp16   ? 0x28002800
                                     : input == MatrixInput::bf16 ? 0x3d003d00
                                     : input == MatrixInput::tf32 ? 0x3d000000
                                                                  : 0x10101010;

template <MatrixInput input, int sign>
GPUMARK_DEVICE void tensor_issue_round(u32 sums, u32 base, u32 first) {
  const u64 a = tensor_tile(base), b = tensor_tile(base + kTensorIssueBytesOfA);
#pragma unroll
  for (u32 i = 0; i < kUnitIssueInstructions; ++i) {
    tensor_multiply<input, sign>(sums, tensor_tile_at(a, i % 4 * kStepBytes), tensor_tile_at(b, i % 4 * kStepBytes),
                                 first == 0 ? 1 : i);
  }
}

/** One thread: a round is begun when the one before the last is over. Leaves none under way. */
template <MatrixInput input>
GPUMARK_DEVICE void tensor_issue_rounds(u64 rounds, u32 base, u32 sums) {
  bool patient = true;
#pragma unroll 1
  for (u64 round = 0; round < rounds; ++round) {
    const u32 barrier = base + kTensorIssueTiles + static_cast<u32>(round % 2) * 8;
    if (round >= 2) patient = patient && barrier_wait(barrier, static_cast<u32>(round / 2 - 1) & 1);
    // What some rounds add as many take away again.
    if (round / kUnitIssueTurn % 2)
      tensor_issue_round<input, -1>(sums, base, 0);
    else
      tensor_issue_round<input, 1>(sums, base, round == 0);
    arrive_when_multiplied(barrier);
  }
  for (u64 round = rounds < 2 ? 0 : rounds - 2; round < rounds; ++round) {
    patient = patient &&
              barrier_wait(base + kTensorIssueTiles + static_cast<u32>(round % 2) * 8, static_cast<u32>(round / 2) & 1);
  }
}

/** The sum of the 256 sums of this thread's row. */
GPUMARK_DEVICE float tensor_row_total(u32 sums, u32 warp) {
  float total = 0;
#pragma unroll 1
  for (u32 column = 0; column < kTensorTileN; column += kTensorLoad) {
    u32 sum[kTensorLoad];
    load_sums(sums + column + (32 * warp << 16), sum);
    wait_for_sums(sum);
#pragma unroll
    for (u32 i = 0; i < kTensorLoad; ++i) total += float_of_bits(sum[i]);
  }
  return total;
}

template <MatrixInput input>
GPUMARK_DEVICE void tensor_issue(const IssueArgs& args) {
  const u32 thread = thread_index();
  u32* words = static_cast<u32*>(dynamic_shared());
  for (u32 i = thread; i < kTensorIssueTiles / 4; i += kTensorIssueThreads) words[i] = kTensorIssueElements<input>;
  const u32 base = shared_address(words);
  if (thread == 0) {
    barrier_begin(base + kTensorIssueTiles, 1);
    barrier_begin(base + kTensorIssueTiles + 8, 1);
    barriers_visible();
  }
  if (thread / 32 == 0) take_tensor_memory(base + kTensorIssueWord);
  stores_before_copies();
  before_telling();
  block_barrier(kTensorIssueThreads);
  after_hearing();
  const u32 sums = shared_word(base + kTensorIssueWord);
  const u64 cycles = core_cycles(), ticks = timer_ticks();
  if (thread == 0) tensor_issue_rounds<input>(args.rounds, base, sums);
  before_telling();
  block_barrier(kTensorIssueThreads);
  after_hearing();
  const u64 spent_cycles = core_cycles() - cycles, spent_ticks = timer_ticks() - ticks;
  static_cast<float*>(args.out)[static_cast<u64>(block_index()) * kTensorIssueThreads + thread] =
      tensor_row_total(sums, thread / 32);
  if (thread == 0) {
    args.clocks[2 * static_cast<u64>(block_index())] = spent_cycles;
    args.clocks[2 * static_cast<u64>(block_index()) + 1] = spent_ticks;
  }
  before_telling();
  block_barrier(kTensorIssueThreads);
  after_hearing();
  if (thread / 32 == 0) give_tensor_memory(sums);
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_TENSOR_ISSUE_KERNEL(name) extern "C" void name(const gpumark::device::IssueArgs args)
#else
#define GPUMARK_TENSOR_ISSUE_KERNEL(name)                                               \
  extern "C" __global__ void __launch_bounds__(gpumark::device::kTensorIssueThreads, 1) \
      name(const gpumark::device::IssueArgs args)
#endif

GPUMARK_TENSOR_ISSUE_KERNEL(gpumark_issue_tcgen05_fp16) {
  gpumark::device::tensor_issue<gpumark::device::MatrixInput::fp16>(args);
}
GPUMARK_TENSOR_ISSUE_KERNEL(gpumark_issue_tcgen05_bf16) {
  gpumark::device::tensor_issue<gpumark::device::MatrixInput::bf16>(args);
}
GPUMARK_TENSOR_ISSUE_KERNEL(gpumark_issue_tcgen05_tf32) {
  gpumark::device::tensor_issue<gpumark::device::MatrixInput::tf32>(args);
}
GPUMARK_TENSOR_ISSUE_KERNEL(gpumark_issue_tcgen05_fp8) {
  gpumark::device::tensor_issue<gpumark::device::MatrixInput::e4m3>(args);
}
