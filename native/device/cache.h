// Second-level cache: bandwidth by many blocks that all walk one set, latency by one thread on a pointer chain.
#pragma once
#include "portable.h"

GPUMARK_KERNEL(gpumark_walk, WalkArgs) {
  using namespace gpumark::device;
  const WordPair* set = static_cast<const WordPair*>(args.set);
  const u64 tile_vectors = static_cast<u64>(kBlockThreads) * kUnroll;
  const u64 tiles = args.vectors / tile_vectors;
  const u64 start = static_cast<u64>(block_index()) * tiles / args.blocks;
  // Blocks that walk alike gather: who comes second is answered with what the first one asked for, so it catches up,
  // and from then on one read of the cache serves several (11 TB/s, and 14 far beyond the cache, on an H200 whose cache
  // gives 9). So each has a stride of its own; the host makes the number of tiles prime, and every stride meets each
  // tile once.
  const u64 step = tiles > 2 ? 1 + block_index() * kStrideMix % (tiles - 1) : 1;
  u64 sum = 0;
  for (u32 pass = 0; pass < args.passes; ++pass) {
    u64 tile = start;
    for (u64 count = 0; count < tiles; ++count) {
      const WordPair* at = set + tile * tile_vectors + thread_index();
      WordPair held[kUnroll];
#pragma unroll
      for (u32 i = 0; i < kUnroll; ++i) held[i] = second_level_load(at + i * kBlockThreads);
#pragma unroll
      for (u32 i = 0; i < kUnroll; ++i) sum += held[i].x + held[i].y;
      tile += step;
      if (tile >= tiles) tile -= tiles;
    }
  }
  args.partial[global_thread()] = sum;
}

GPUMARK_KERNEL(gpumark_chain, ChainArgs) {
  using namespace gpumark::device;
  const u64 stride = static_cast<u64>(args.blocks) * kBlockThreads;
  for (u64 line = global_thread(); line < args.lines; line += stride) {
    args.out[line * kLineWords] = (args.multiplier * line + args.increment) & (args.lines - 1);
  }
}

GPUMARK_KERNEL(gpumark_chase, ChaseArgs) {
  using namespace gpumark::device;
  if (thread_index() != 0) return;
  u64 line = args.start;
  const u64 cycles = core_cycles();
  const u64 ticks = timer_ticks();
  for (u64 step = 0; step < args.steps; ++step) line = second_level_load(args.chain + line * kLineWords);
  args.result[0] = line;
  args.result[1] = core_cycles() - cycles;
  args.result[2] = timer_ticks() - ticks;
}
