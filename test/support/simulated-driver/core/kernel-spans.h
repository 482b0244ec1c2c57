// Which memory each kernel accesses. On a real card, memory protection detects invalid accesses by itself.
#pragma once
#include <cstring>
#include <vector>

#include "block-scales.h"
#include "core/kernel-table.h"
#include "kernels.h"
#include "number-formats.h"

namespace gpumark::sim {

/** Bytes that one thread of a multiply-add kernel writes. */
inline std::uint64_t fma_result_bytes(const char* kernel) {
  return std::strcmp(kernel, "gpumark_fma_fp32") == 0 || std::strcmp(kernel, "gpumark_fma_fp16") == 0 ? 4 : 8;
}

inline std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
inline Span reads(const void* pointer, std::uint64_t bytes) { return {address(pointer), bytes, false}; }
inline Span writes(const void* pointer, std::uint64_t bytes) { return {address(pointer), bytes, true}; }
/** One 8-byte word per thread. */
inline Span partial_sums(const void* pointer, unsigned blocks) {
  return writes(pointer, 8ull * blocks * device::kBlockThreads);
}

using Spans = std::vector<Span>;
constexpr std::uint64_t kVector = device::kVectorBytes;

inline Spans spans_of(const device::FillArgs& a, unsigned, const char*) { return {writes(a.out, 8 * a.count)}; }
inline Spans spans_of(const device::FillNormalArgs& a, unsigned, const char*) {
  const auto format = static_cast<NumberFormat>(a.format);
  return {writes(a.out, is_block_scaled(format) ? a.count : bytes_of(format) * a.count)};
}
inline Spans spans_of(const device::GemmArgs& a, unsigned, const char* kernel) {
  const std::uint64_t bytes = std::strcmp(kernel, "gpumark_sgemm") == 0 ? 4 : 8;
  return {writes(a.c, bytes * a.m * a.n), reads(a.a, bytes * a.m * a.k), reads(a.b, bytes * a.n * a.k)};
}
inline Spans spans_of(const device::GemmVerifyArgs& a, unsigned, const char*) {
  const auto format = static_cast<NumberFormat>(a.input);
  const std::uint64_t in = bytes_of(format), out = bytes_of(static_cast<NumberFormat>(a.output));
  if (is_block_scaled(format)) {
    return {writes(a.found, 16), reads(a.c, out * a.m * a.n), reads(a.a, scaled_bytes(format, a.m, a.k)),
            reads(a.b, scaled_bytes(format, a.n, a.k))};
  }
  return {writes(a.found, 16), reads(a.c, out * a.m * a.n), reads(a.a, in * a.m * a.k), reads(a.b, in * a.n * a.k)};
}
inline Spans spans_of(const device::ReadArgs& a, unsigned blocks, const char*) {
  return {reads(a.in, kVector * a.vectors), partial_sums(a.partial, blocks)};
}
inline Spans spans_of(const device::WriteArgs& a, unsigned, const char*) {
  return {writes(a.out, kVector * a.vectors)};
}
inline Spans spans_of(const device::CopyArgs& a, unsigned, const char*) {
  return {writes(a.to, kVector * a.vectors), reads(a.from, kVector * a.vectors)};
}
inline Spans spans_of(const device::TriadArgs& a, unsigned, const char*) {
  return {writes(a.a, kVector * a.vectors), reads(a.b, kVector * a.vectors), reads(a.c, kVector * a.vectors)};
}
inline Spans spans_of(const device::CheckArgs& a, unsigned, const char*) {
  return {reads(a.a, 8 * a.count), writes(a.wrong, 8)};
}
inline Spans spans_of(const device::ChecksumArgs& a, unsigned blocks, const char*) {
  return {reads(a.in, kVector * a.vectors), partial_sums(a.partial, blocks)};
}
inline Spans spans_of(const device::WalkArgs& a, unsigned blocks, const char*) {
  return {reads(a.set, kVector * a.vectors), partial_sums(a.partial, blocks)};
}
inline Spans spans_of(const device::ChainArgs& a, unsigned, const char*) {
  // The last word that is written is the first one of the last line.
  return {writes(a.out, a.lines == 0 ? 0 : 8 * ((a.lines - 1) * device::kLineWords + 1))};
}
inline Spans spans_of(const device::ChaseArgs& a, unsigned, const char*) {
  return {reads(a.chain, 8 * (a.start * device::kLineWords + 1)), writes(a.result, 3 * 8)};
}
inline Spans spans_of(const device::FmaArgs& a, unsigned blocks, const char* kernel) {
  return {writes(a.out, fma_result_bytes(kernel) * blocks * device::kBlockThreads), writes(a.clocks, 16ull * blocks)};
}
inline Spans spans_of(const device::RepeatArgs& a, unsigned, const char*) {
  return {writes(a.out, 8 * a.count), reads(a.in, 8 * a.count)};
}
inline Spans spans_of(const device::MarchArgs& a, unsigned, const char*) {
  return {writes(a.memory, kVector * a.vectors), writes(a.found, 8 * device::kFoundWords)};
}
inline Spans spans_of(const device::CompareArgs& a, unsigned, const char*) {
  return {reads(a.one, kVector * a.vectors), reads(a.other, kVector * a.vectors),
          writes(a.found, 8 * device::kFoundWords)};
}
inline Spans spans_of(const device::EmptyArgs&, unsigned, const char*) { return {}; }
inline Spans spans_of(const device::SpinArgs& a, unsigned, const char*) {
  return {reads(a.gate, 4), writes(a.expired, 4)};
}

}  // namespace gpumark::sim
