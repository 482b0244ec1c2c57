// How fast the matrix instructions of AMD are issued, operands and results in registers alone. All numbers are 2^-5 or
// -2^-5, which costs less power than random data: a peak of the pipelines, not of what a card sustains.
#pragma once
#include "amd-wave.h"
#include "gemm-kernels.h"
#include "issue-expected.h"

#if GPUMARK_AMD || GPUMARK_SIMULATED
namespace gpumark::device {

/** A chunk of 2^-5 in a format, by its 4-byte words, and the bits that change all signs. */
struct IssueChunk {
  u32 even, odd, even_signs, odd_signs;
};
constexpr IssueChunk kIssueFp16 = {0x28002800, 0x28002800, 0x80008000, 0x80008000};
constexpr IssueChunk kIssueBf16 = {0x3d003d00, 0x3d003d00, 0x80008000, 0x80008000};
constexpr IssueChunk kIssueFp8 = {0x10101010, 0x10101010, 0x80808080, 0x80808080};
constexpr IssueChunk kIssueFp8Fnuz = {0x18181818, 0x18181818, 0x80808080, 0x80808080};
constexpr IssueChunk kIssueTf32 = {0x3d000000, 0x3d000000, 0x80000000, 0x80000000};
constexpr IssueChunk kIssueFp64 = {0, 0x3fa00000, 0, 0x80000000};

/** `repeat` times all instructions of Op per step, on kAmdIssueSums independent results. */
template <class Op, u32 repeat>
GPUMARK_DEVICE void issue_round(typename Op::Sum (&sums)[kAmdIssueSums], const Chunk (&a)[Op::kChunks],
                                const Chunk (&b)[Op::kChunks]) {
#pragma unroll
  for (u32 step = 0; step < kAmdIssueSteps * repeat; ++step) {
#pragma unroll
    for (u32 part = 0; part < Op::kInstructions; ++part) {
#pragma unroll
      for (u32 i = 0; i < kAmdIssueSums; ++i) Op::multiply(sums[i], a, b, part);
    }
  }
}

template <class Op, u32 repeat>
GPUMARK_DEVICE void amd_issue(const IssueArgs& args, IssueChunk number, u32 threads) {
  Chunk a[Op::kChunks], b[Op::kChunks];
#pragma unroll
  for (u32 i = 0; i < Op::kChunks; ++i) {
    a[i] = b[i] = Chunk{number.even, number.odd, number.even, number.odd};
    opaque(a[i]);
    opaque(b[i]);
  }
  typename Op::Sum sums[kAmdIssueSums] = {};
  const u64 cycles = core_cycles(), ticks = timer_ticks();
  for (u64 done = 0; done < args.rounds; done += kAmdIssueTurn) {
    const u64 turn = args.rounds - done < kAmdIssueTurn ? args.rounds - done : kAmdIssueTurn;
#pragma unroll 1
    for (u64 round = 0; round < turn; ++round) issue_round<Op, repeat>(sums, a, b);
      // From here the sums go back to where they came from, so that they stay exact however long this runs.
#pragma unroll
    for (u32 i = 0; i < Op::kChunks; ++i) {
      a[i].x ^= number.even_signs;
      a[i].y ^= number.odd_signs;
      a[i].z ^= number.even_signs;
      a[i].w ^= number.odd_signs;
    }
  }
  float total = 0;
#pragma unroll
  for (u32 i = 0; i < kAmdIssueSums; ++i) {
#pragma unroll
    for (u32 j = 0; j < Op::kSums; ++j) total += static_cast<float>(sums[i][j]);
  }
  static_cast<float*>(args.out)[static_cast<u64>(block_index()) * threads + thread_index()] = total;
  if (thread_index() == 0) {
    args.clocks[2 * static_cast<u64>(block_index())] = core_cycles() - cycles;
    args.clocks[2 * static_cast<u64>(block_index()) + 1] = timer_ticks() - ticks;
  }
}

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#define GPUMARK_AMD_ISSUE(name, Op, repeat, number)                                              \
  extern "C" void name(const gpumark::device::IssueArgs args) {                                  \
    gpumark::device::amd_issue<gpumark::device::Op, repeat>(args, gpumark::device::number, 256); \
  }
#else
#define GPUMARK_AMD_ISSUE(name, Op, repeat, number)                                                    \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(256, 256))) void name( \
      const gpumark::device::IssueArgs args) {                                                         \
    gpumark::device::amd_issue<gpumark::device::Op, repeat>(args, gpumark::device::number, 256);       \
  }
#endif
#endif
