// Streaming kernels: a tile is kUnroll (triad: kTriadUnroll, copy: kCopyUnroll) vectors per thread, neighbouring
// threads on neighbouring vectors. The grid may be smaller than the number of tiles; the host tries several.
#pragma once
#include "portable.h"

namespace gpumark::device {

/** Calls body(first vector of this thread) for every tile of this block. */
template <u32 unroll, class Body>
GPUMARK_DEVICE void for_each_tile(u64 vectors, u32 blocks, Body body) {
  const u64 tiles = vectors / (static_cast<u64>(kBlockThreads) * unroll);
  for (u64 tile = block_index(); tile < tiles; tile += blocks) body(tile * kBlockThreads * unroll + thread_index());
}

}  // namespace gpumark::device

GPUMARK_KERNEL(gpumark_read, ReadArgs) {
  using namespace gpumark::device;
  const WordPair* in = static_cast<const WordPair*>(args.in);
  u64 sum = 0;
  for_each_tile<kUnroll>(args.vectors, args.blocks, [&](u64 first) {
    WordPair held[kUnroll];
#pragma unroll
    for (u32 i = 0; i < kUnroll; ++i) held[i] = stream_load(in + first + i * kBlockThreads);
#pragma unroll
    for (u32 i = 0; i < kUnroll; ++i) sum += held[i].x + held[i].y;
  });
  args.partial[global_thread()] = sum;
}

GPUMARK_KERNEL(gpumark_write, WriteArgs) {
  using namespace gpumark::device;
  WordPair* out = static_cast<WordPair*>(args.out);
  const WordPair value = pair_of<WordPair>(args.word, args.word);
  for_each_tile<kUnroll>(args.vectors, args.blocks, [&](u64 first) {
#pragma unroll
    for (u32 i = 0; i < kUnroll; ++i) stream_store(out + first + i * kBlockThreads, value);
  });
}

GPUMARK_KERNEL(gpumark_copy, CopyArgs) {
  using namespace gpumark::device;
  const WordPair* from = static_cast<const WordPair*>(args.from);
  WordPair* to = static_cast<WordPair*>(args.to);
  for_each_tile<kCopyUnroll>(args.vectors, args.blocks, [&](u64 first) {
    WordPair held[kCopyUnroll];
#pragma unroll
    for (u32 i = 0; i < kCopyUnroll; ++i) held[i] = stream_load(from + first + i * kBlockThreads);
#pragma unroll
    for (u32 i = 0; i < kCopyUnroll; ++i) stream_store(to + first + i * kBlockThreads, held[i]);
  });
}

GPUMARK_KERNEL(gpumark_triad, TriadArgs) {
  using namespace gpumark::device;
  const DoublePair* b = reinterpret_cast<const DoublePair*>(args.b);
  const DoublePair* c = reinterpret_cast<const DoublePair*>(args.c);
  DoublePair* a = reinterpret_cast<DoublePair*>(args.a);
  const double scalar = args.scalar;
  for_each_tile<kTriadUnroll>(args.vectors, args.blocks, [&](u64 first) {
    DoublePair left[kTriadUnroll], right[kTriadUnroll];
#pragma unroll
    for (u32 i = 0; i < kTriadUnroll; ++i) {
      left[i] = stream_load(b + first + i * kBlockThreads);
      right[i] = stream_load(c + first + i * kBlockThreads);
    }
#pragma unroll
    for (u32 i = 0; i < kTriadUnroll; ++i) {
      stream_store(a + first + i * kBlockThreads, pair_of<DoublePair>(multiply_add(right[i].x, scalar, left[i].x),
                                                                      multiply_add(right[i].y, scalar, left[i].y)));
    }
  });
}
