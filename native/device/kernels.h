// What host and device agree on: every kernel's name and its arguments. Included by the runner, by all device compilers
// and by the simulated driver, hence built-in types only. All kernels run in one dimension with kBlockThreads threads.
#pragma once

namespace gpumark::device {

using u32 = unsigned int;
using u64 = unsigned long long;

constexpr u32 kBlockThreads = 256;
/** A vector is 16 bytes, the widest load of every architecture. A tile is what a block handles at a time. */
constexpr u64 kVectorBytes = 16;
/**
 * Vectors that one thread has in flight: 8 where one array is read, 4 + 4 in the triad. A copy is fastest with one
 * (H200: 4260 GB/s against 4110 with two and 4000 with eight).
 */
constexpr u32 kUnroll = 8;
constexpr u32 kTriadUnroll = 4;
constexpr u32 kCopyUnroll = 1;
/** Arrays are whole tiles of every stream kernel. */
constexpr u64 kTileBytes = kVectorBytes * kBlockThreads * kUnroll;
/**
 * Independent multiply-add chains per thread, and steps of each per round. 512 multiply-adds per round: the loop's own
 * three instructions (count, compare, jump) then cost 0.6 % of the issue slots, and 8 KiB of code fit the smallest
 * first-level instruction cache of an NVIDIA GPU since Volta (12 KiB). 1024 would save 0.3 % more and not fit it.
 */
constexpr u32 kFmaChains = 16;
constexpr u32 kFmaSteps = 32;
/** Columns of A and B that the products on the ordinary lanes have in shared memory at a time. */
constexpr u32 kSimtDepth = 8;
/** Spreads the strides of the blocks that walk the cache: 2^32 over the golden ratio. */
constexpr u64 kStrideMix = 2654435761u;
/** Distance of two elements of a pointer chain: the longest cache line of any supported device. */
constexpr u32 kLineWords = 16;

// One line for the arguments of one kernel.
// clang-format off

/** out[i] = random_dyadic(seed, i), or 0. `count` even. */
struct FillArgs { double* out; u64 count; u64 seed; u32 random; u32 blocks; };
/** Sum of all 64-bit words, one partial sum per thread. */
struct ReadArgs { const void* in; u64 vectors; u64* partial; u32 blocks; };
struct WriteArgs { void* out; u64 vectors; u64 word; u32 blocks; };
struct CopyArgs { void* to; const void* from; u64 vectors; u32 blocks; };
/** a = b + scalar * c */
struct TriadArgs { double* a; const double* b; const double* c; double scalar; u64 vectors; u32 blocks; };
/** Counts the elements of `a` that differ from random_dyadic(seed, i) + scalar * random_dyadic(seed + 1, i). */
struct CheckArgs { const double* a; u64 count; u64 seed; double scalar; u64* wrong; u32 random; u32 blocks; };
/** Sum over all words of a mix of word and place, one partial sum per thread. */
struct ChecksumArgs { const void* in; u64 vectors; u64* partial; u32 blocks; };
/** Every block reads the whole set `passes` times, past the first-level cache, in an order of its own. `vectors`: a prime number of tiles. */
struct WalkArgs { const void* set; u64 vectors; u64* partial; u32 passes; u32 blocks; };
/** next(line) = (multiplier * line + increment) mod lines, one cycle over all lines (a power of two). */
struct ChainArgs { u64* out; u64 lines; u64 multiplier; u64 increment; u32 blocks; };
/** One thread follows the chain from `start`: result[0] last line, [1] cycles, [2] timer ticks. */
struct ChaseArgs { const u64* chain; u64 start; u64 steps; u64* result; };
/**
 * x = fma(factor, addend, x) on kFmaChains chains, rounds * kFmaSteps times; out[thread] = sum of the chains in
 * order. The packed kernels hold two numbers per chain and write both sums. clocks[2 * block] = cycles, [2 * block +
 * 1] = timer ticks.
 */
struct FmaArgs { void* out; double factor; double addend; u64* clocks; u32 rounds; u32 blocks; };
/** out[i] = in[i] pushed through `rounds` multiply-adds: the same every time, on sound hardware. */
struct RepeatArgs { const double* in; double* out; u64 count; u32 rounds; u32 blocks; };
/**
 * One sweep of a march over memory: word i holds base(i) ^ expected, which is checked where `check` is not 0, and
 * becomes base(i) ^ next; base(i) = random_word(seed, i), or `seed` itself where `random` is 0. Tiles from the first
 * to the last, or backwards.
 */
struct MarchArgs {
  void* memory; u64 vectors; u64 seed, expected, next; u64* found; u32 random, check, backwards; u32 blocks;
};
/** Compares two arrays bit by bit. */
struct CompareArgs { const void* one; const void* other; u64 vectors; u64* found; u32 blocks; };
/**
 * What both write to `found`: [0] words that differ, [1] bits that differ, then for the first kFoundPlaces of them
 * the word's index and the bits by which it differs.
 */
constexpr u32 kFoundPlaces = 16;
constexpr u32 kFoundWords = 2 + 2 * kFoundPlaces;
/**
 * C = A x B^T: A is m x k, B is n x k, C is m x n, all row-major; k a multiple of 64 below 2^30, n a multiple of 8.
 * Every array below 2^32 elements.
 */
struct GemmArgs { void* c; const void* a; const void* b; u32 m, n, k; };
/**
 * out[i] = random_normal(seed, i) as a number of NumberFormat `format`, or zeros. Of a block-scaled format `count`
 * is that of all bytes, of which those from `scales_begin` on are scales.
 */
struct FillNormalArgs { void* out; u64 count; u64 seed; u64 scales_begin; u32 format; u32 random; u32 blocks; };
/**
 * Computes C again, in fp32 sums of 64 products that are added up in fp64 (or all in fp64), for inputs and outputs
 * of NumberFormat. found[0] += elements with |error| > absolute + relative * |value|; found[1] = the worst ratio of
 * error to that bound, as bits of fp32.
 */
struct GemmVerifyArgs {
  const void* c; const void* a; const void* b; u32 m, n, k; u32 input, output; double absolute, relative; u64* found;
};
struct EmptyArgs { u32 unused; };
/** Waits until *gate is not 0, or max_ticks of the timer have passed, which sets *expired. */
struct SpinArgs { const u32* gate; u32* expired; u64 max_ticks; };

// clang-format on

}  // namespace gpumark::device

/** The kernels whose threads work together, over shared memory and barriers: X(name, argument struct). */
#define GPUMARK_BLOCK_KERNELS(X)         \
  X(gpumark_sgemm, GemmArgs)             \
  X(gpumark_dgemm, GemmArgs)             \
  X(gpumark_gemm_verify, GemmVerifyArgs) \
  X(gpumark_gemm_verify_fp64, GemmVerifyArgs)

/** All other kernels. The threads of these know nothing of each other. */
#define GPUMARK_THREAD_KERNELS(X)        \
  X(gpumark_fill, FillArgs)              \
  X(gpumark_read, ReadArgs)              \
  X(gpumark_write, WriteArgs)            \
  X(gpumark_copy, CopyArgs)              \
  X(gpumark_triad, TriadArgs)            \
  X(gpumark_check, CheckArgs)            \
  X(gpumark_checksum, ChecksumArgs)      \
  X(gpumark_walk, WalkArgs)              \
  X(gpumark_chain, ChainArgs)            \
  X(gpumark_chase, ChaseArgs)            \
  X(gpumark_fma_fp32, FmaArgs)           \
  X(gpumark_fma_fp32_packed, FmaArgs)    \
  X(gpumark_fma_fp64, FmaArgs)           \
  X(gpumark_fma_fp16, FmaArgs)           \
  X(gpumark_repeat, RepeatArgs)          \
  X(gpumark_march, MarchArgs)            \
  X(gpumark_compare, CompareArgs)        \
  X(gpumark_fill_normal, FillNormalArgs) \
  X(gpumark_empty, EmptyArgs)            \
  X(gpumark_spin, SpinArgs)

/** The one list of all kernels. */
#define GPUMARK_KERNELS(X)  \
  GPUMARK_THREAD_KERNELS(X) \
  GPUMARK_BLOCK_KERNELS(X)
