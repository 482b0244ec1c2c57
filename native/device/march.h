// Memory bit by bit: a march (moving inversions) over all of it, and two arrays beside each other. Both say where what
// differs lies.
#pragma once
#include "portable.h"
#include "random-words.h"
#include "stream.h"

namespace gpumark::device {

GPUMARK_DEVICE u32 bits_set(u64 word) {
#if GPUMARK_NVIDIA && !defined(__clang__)
  return static_cast<u32>(__popcll(word));
#else
  return static_cast<u32>(__builtin_popcountll(word));
#endif
}

/** Rare: nobody minds what it costs. */
GPUMARK_DEVICE void note_difference(u64* found, u64 index, u64 difference) {
  add_to(found + 1, bits_set(difference));
  const u64 place = add_to(found, 1);
  if (place >= kFoundPlaces) return;
  found[2 + 2 * place] = index;
  found[3 + 2 * place] = difference;
}

}  // namespace gpumark::device

GPUMARK_KERNEL(gpumark_march, MarchArgs) {
  using namespace gpumark::device;
  WordPair* memory = static_cast<WordPair*>(args.memory);
  const u64 tiles = args.vectors / (static_cast<u64>(kBlockThreads) * kUnroll);
  for_each_tile<kUnroll>(args.vectors, args.blocks, [&](u64 ahead) {
    const u64 tile = ahead / (kBlockThreads * kUnroll),
              first = args.backwards ? ahead + (tiles - 1 - 2 * tile) * (kBlockThreads * kUnroll) : ahead;
    WordPair held[kUnroll] = {};
    if (args.check) {
#pragma unroll
      for (u32 i = 0; i < kUnroll; ++i) held[i] = stream_load(memory + first + i * kBlockThreads);
    }
#pragma unroll
    for (u32 i = 0; i < kUnroll; ++i) {
      const u64 at = first + i * kBlockThreads;
      const u64 even = args.random ? gpumark::random_word(args.seed, 2 * at) : args.seed,
                odd = args.random ? gpumark::random_word(args.seed, 2 * at + 1) : args.seed;
      if (args.check && held[i].x != (even ^ args.expected))
        note_difference(args.found, 2 * at, held[i].x ^ even ^ args.expected);
      if (args.check && held[i].y != (odd ^ args.expected))
        note_difference(args.found, 2 * at + 1, held[i].y ^ odd ^ args.expected);
      stream_store(memory + at, pair_of<WordPair>(even ^ args.next, odd ^ args.next));
    }
  });
}

GPUMARK_KERNEL(gpumark_compare, CompareArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  const WordPair* one = static_cast<const WordPair*>(args.one);
  const WordPair* other = static_cast<const WordPair*>(args.other);
  for (u64 i = global_thread(); i < args.vectors; i += stride) {
    const WordPair left = one[i], right = other[i];
    if (left.x != right.x) note_difference(args.found, 2 * i, left.x ^ right.x);
    if (left.y != right.y) note_difference(args.found, 2 * i + 1, left.y ^ right.y);
  }
}
