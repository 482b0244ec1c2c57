// Input data, and what proves that outputs are right: every element, every bit.
#pragma once
#include "portable.h"
#include "random-words.h"

GPUMARK_KERNEL(gpumark_fill, FillArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  DoublePair* out = reinterpret_cast<DoublePair*>(args.out);
  for (u64 i = global_thread(); i < args.count / 2; i += stride) {
    out[i] = args.random ? pair_of<DoublePair>(gpumark::random_dyadic(args.seed, 2 * i),
                                               gpumark::random_dyadic(args.seed, 2 * i + 1))
                         : pair_of<DoublePair>(0.0, 0.0);
  }
}

/** The inputs are made anew, so that a damaged input shows as well as a damaged output. */
GPUMARK_KERNEL(gpumark_check, CheckArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  u64 wrong = 0;
  for (u64 i = global_thread(); i < args.count; i += stride) {
    const double expected = args.random ? multiply_add(gpumark::random_dyadic(args.seed + 1, i), args.scalar,
                                                       gpumark::random_dyadic(args.seed, i))
                                        : 0.0;
    if (!(args.a[i] == expected)) ++wrong;
  }
  if (wrong) add_to(args.wrong, wrong);
}

GPUMARK_KERNEL(gpumark_checksum, ChecksumArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  const WordPair* in = static_cast<const WordPair*>(args.in);
  u64 sum = 0;
  for (u64 i = global_thread(); i < args.vectors; i += stride) {
    const WordPair words = in[i];
    // An odd multiplier per place: two words that change places change the sum.
    sum += (words.x ^ (2 * i + 1)) * (4 * i + 1) + (words.y ^ (2 * i + 2)) * (4 * i + 3);
  }
  args.partial[global_thread()] = sum;
}

GPUMARK_KERNEL(gpumark_repeat, RepeatArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  for (u64 i = global_thread(); i < args.count; i += stride) {
    const double seed = args.in[i];
    double x = seed;
    float y = static_cast<float>(seed);
    for (u32 round = 0; round < args.rounds; ++round) {
      x = multiply_add(x, -0.8125, seed);
      y = multiply_add(y, -0.8125f, 0.3125f);
    }
    args.out[i] = x + static_cast<double>(y);
  }
}
