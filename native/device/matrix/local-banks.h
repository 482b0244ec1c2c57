// Proof, by the compiler, that reads of operands from local memory find every lane's 16 bytes in banks of its own.
// Which lanes are served together: gfx90a and gfx942 8 at a time from 32 banks (CK Tile's documentation of
// ds_read_b128), gfx950 16 at a time from 64 (as published with HipKittens), RDNA 8 neighbours. If hardware groups them
// otherwise, this costs time and nothing else.
#pragma once
#include "amd-tiles.h"

namespace gpumark::device {

/** Lanes first, first + 1 ... of every `runs`, four at a time. */
template <u32 chunks, u32 edge, u32 runs>
constexpr bool reads_spread(const u32 (&first)[runs], u32 offset) {
  bool taken[4 * runs] = {};
  for (u32 i = 0; i < 4 * runs; ++i) {
    const u32 lane = offset + first[i / 4] + i % 4, row = lane % edge;
    // As many 16-byte places side by side as lanes are served at a time.
    const u32 place = (row * chunks + swizzled<chunks>(row, lane / edge)) % (4 * runs);
    if (taken[place]) return false;
    taken[place] = true;
  }
  return true;
}

constexpr u32 kEights[][2] = {{0, 20}, {4, 16}, {8, 28}, {12, 24}},
              kNeighbours[][2] = {{0, 4}, {8, 12}, {16, 20}, {24, 28}};
constexpr u32 kSixteens[][4] = {{0, 12, 20, 24}, {4, 8, 16, 28}};

template <u32 chunks, u32 edge, u32 runs, u32 sets>
constexpr bool all_spread(const u32 (&first)[sets][runs], u32 lanes) {
  for (u32 offset = 0; offset < lanes; offset += 32) {
    for (const auto& set : first) {
      if (!reads_spread<chunks, edge>(set, offset)) return false;
    }
  }
  return true;
}

static_assert(all_spread<4, 32>(kEights, 64) && all_spread<8, 32>(kEights, 64), "MFMA, 32 rows");
static_assert(all_spread<4, 32>(kSixteens, 64) && all_spread<8, 32>(kSixteens, 64),
              "MFMA on gfx950, rows of 64 and of 128 bytes");
static_assert(all_spread<4, 16>(kEights, 64),
              "MFMA in fp64, 16 rows; on gfx950, pairs of lanes share banks, and have the time: its fp64 is slower");
static_assert(all_spread<4, 16>(kNeighbours, 32), "WMMA");

}  // namespace gpumark::device
