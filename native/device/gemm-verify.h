// Input of matrix products in every format, and the proof of their outputs: each element computed again on the ordinary
// lanes.
#pragma once
#include "block-scales.h"
#include "block.h"
#include "number-formats.h"

namespace gpumark::device {

constexpr u32 kVerifyTile = 64;
constexpr u32 kVerifyDepth = 16;
/**
 * Products that are added in fp32 before the sum goes to fp64: their rounding error stays below 2^-24 * 64 * the
 * largest partial sum.
 */
constexpr u32 kVerifyChunk = 64;
/** Elements of the tile per thread and direction. */
constexpr u32 kVerifyEach = kVerifyTile / 16;

GPUMARK_DEVICE u64 add_largest(u64* to, u64 value) {
#if GPUMARK_SIMULATED
  u64 seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(to, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
#elif defined(__clang__)
  return __scoped_atomic_fetch_max(to, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return atomicMax(to, value);
#endif
}

/** Element `index` of an array of `format`. */
template <class Number>
GPUMARK_DEVICE Number number_at(const void* array, u32 format, u64 index) {
  switch (static_cast<NumberFormat>(format)) {
    case NumberFormat::fp64: return static_cast<Number>(static_cast<const double*>(array)[index]);
    case NumberFormat::fp32: return static_cast<Number>(static_cast<const float*>(array)[index]);
    case NumberFormat::fp16:
    case NumberFormat::bf16:
      return static_cast<Number>(
          decode_number(static_cast<NumberFormat>(format), static_cast<const unsigned short*>(array)[index]));
    default:
      return static_cast<Number>(
          decode_number(static_cast<NumberFormat>(format), static_cast<const unsigned char*>(array)[index]));
  }
}

/** An input, element `column` of row `row` of a matrix of `rows` x `k`. */
template <class Number>
GPUMARK_DEVICE Number input_at(const void* array, u32 format, u32 rows, u32 k, u32 row, u32 column) {
  const auto number = static_cast<NumberFormat>(format);
  if (is_block_scaled(number))
    return static_cast<Number>(
        scaled_number_at(number, static_cast<const unsigned char*>(array), rows, k, row, column));
  return number_at<Number>(array, format, static_cast<u64>(row) * k + column);
}

template <class Number>
struct VerifyBuffers {
  Number a[kVerifyDepth][kVerifyTile + 1], b[kVerifyDepth][kVerifyTile + 1];
};

template <class Number>
GPUMARK_DEVICE void verify_load(VerifyBuffers<Number>& shared, const GemmVerifyArgs& args, u32 row, u32 column,
                                u32 thread, u32 k) {
#pragma unroll
  for (u32 i = thread; i < kVerifyTile * kVerifyDepth; i += kBlockThreads) {
    const u32 place = i / kVerifyDepth, depth = i % kVerifyDepth;
    const bool has_a = row + place < args.m, has_b = column + place < args.n;
    shared.a[depth][place] =
        has_a ? input_at<Number>(args.a, args.input, args.m, args.k, row + place, k + depth) : Number(0);
    shared.b[depth][place] =
        has_b ? input_at<Number>(args.b, args.input, args.n, args.k, column + place, k + depth) : Number(0);
  }
}

/** Counts elements off by more than the bound, and keeps the worst ratio of error to bound. */
GPUMARK_DEVICE void verify_element(const GemmVerifyArgs& args, u32 row, u32 column, double expected) {
  if (row >= args.m || column >= args.n) return;
  const double got = number_at<double>(args.c, args.output, static_cast<u64>(row) * args.n + column);
  const double magnitude = expected < 0 ? -expected : expected, off = got < expected ? expected - got : got - expected;
  const float ratio = static_cast<float>(off / (args.absolute + args.relative * magnitude));
  // NaN is no comparison's winner: it counts as wrong, with the largest ratio there is.
  const bool right = ratio <= 1.0f;
  if (!right) add_to(args.found, 1);
  add_largest(args.found + 1, ratio >= 0.0f ? bits_of_float(ratio) : 0x7f800000u);
}

template <class Number>
GPUMARK_DEVICE void verify_tile(const GemmVerifyArgs& args, VerifyBuffers<Number>& shared) {
  const u32 tiles_across = (args.n + kVerifyTile - 1) / kVerifyTile;
  const u32 row = block_index() / tiles_across * kVerifyTile, column = block_index() % tiles_across * kVerifyTile;
  const u32 thread = thread_index(), down = thread / 16, across = thread % 16;
  double total[kVerifyEach][kVerifyEach];
#pragma unroll
  for (u32 i = 0; i < kVerifyEach * kVerifyEach; ++i) total[i / kVerifyEach][i % kVerifyEach] = 0;
  for (u32 chunk = 0; chunk < args.k; chunk += kVerifyChunk) {
    Number sum[kVerifyEach][kVerifyEach];
#pragma unroll
    for (u32 i = 0; i < kVerifyEach * kVerifyEach; ++i) sum[i / kVerifyEach][i % kVerifyEach] = 0;
#pragma unroll 1
    for (u32 k = chunk; k < chunk + kVerifyChunk; k += kVerifyDepth) {
      block_barrier();
      verify_load(shared, args, row, column, thread, k);
      block_barrier();
#pragma unroll 4
      for (u32 depth = 0; depth < kVerifyDepth; ++depth) {
#pragma unroll
        for (u32 i = 0; i < kVerifyEach; ++i) {
#pragma unroll
          for (u32 j = 0; j < kVerifyEach; ++j)
            sum[i][j] = multiply_add(shared.a[depth][down + 16 * i], shared.b[depth][across + 16 * j], sum[i][j]);
        }
      }
    }
#pragma unroll
    for (u32 i = 0; i < kVerifyEach * kVerifyEach; ++i)
      total[i / kVerifyEach][i % kVerifyEach] += static_cast<double>(sum[i / kVerifyEach][i % kVerifyEach]);
  }
#pragma unroll
  for (u32 i = 0; i < kVerifyEach; ++i) {
#pragma unroll
    for (u32 j = 0; j < kVerifyEach; ++j)
      verify_element(args, row + down + 16 * i, column + across + 16 * j, total[i][j]);
  }
}

}  // namespace gpumark::device

/** out[i] = random_normal(seed, i) in the format, or zeros. fp32 and fp64 take all of the number's bits. */
GPUMARK_KERNEL(gpumark_fill_normal, FillNormalArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  const auto format = static_cast<gpumark::NumberFormat>(args.format);
  for (u64 i = global_thread(); i < args.count; i += stride) {
    if (gpumark::is_block_scaled(format)) {
      static_cast<unsigned char*>(args.out)[i] =
          static_cast<unsigned char>(gpumark::random_scaled_byte(format, args.seed, i, args.scales_begin, args.random));
      continue;
    }
    const double x = args.random ? gpumark::random_normal(args.seed, i) : 0.0;
    switch (format) {
      case gpumark::NumberFormat::fp64: static_cast<double*>(args.out)[i] = x; break;
      case gpumark::NumberFormat::fp32: static_cast<float*>(args.out)[i] = static_cast<float>(x); break;
      case gpumark::NumberFormat::fp16:
      case gpumark::NumberFormat::bf16:
        static_cast<unsigned short*>(args.out)[i] =
            static_cast<unsigned short>(gpumark::encode_number(format, static_cast<float>(x)));
        break;
      default:
        static_cast<unsigned char*>(args.out)[i] =
            static_cast<unsigned char>(gpumark::encode_number(format, static_cast<float>(x)));
        break;
    }
  }
}

GPUMARK_PAIR_KERNEL(gpumark_gemm_verify, GemmVerifyArgs) {
  GPUMARK_SHARED(gpumark::device::VerifyBuffers<float>, shared);
  gpumark::device::verify_tile<float>(args, shared);
}
GPUMARK_PAIR_KERNEL(gpumark_gemm_verify_fp64, GemmVerifyArgs) {
  GPUMARK_SHARED(gpumark::device::VerifyBuffers<double>, shared);
  gpumark::device::verify_tile<double>(args, shared);
}
