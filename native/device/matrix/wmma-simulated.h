// WMMA in wave32 as AMD describes it (RDNA 3 and RDNA 4 instruction set, "Wave Matrix Multiply Accumulate"; GPUOpen on
// either generation).
#pragma once
#include "matrix-unit-simulated.h"

namespace gpumark::device {

typedef SimulatedSum<float, 8> WmmaSum;

/**
 * RDNA 3: lane l holds all 16 k of row (or column) l % 16; lanes 16-31 repeat 0-15. Rows of D: even ones in lanes 0-15,
 * odd in 16-31.
 */
template <UnitNumber number_>
struct WmmaTableGfx11 {
  typedef float Result;
  static constexpr UnitNumber number = number_;
  static constexpr u32 kLanes = 32, kEdge = 16, kDepth = 16, kEach = 16, kResults = 8;
  static u32 line(u32 lane) { return lane % 16; }
  static u32 k(u32, u32 index) { return index; }
  static u32 row(u32 lane, u32 i) { return 2 * i + lane / 16; }
  static u32 column(u32 lane) { return lane % 16; }
};

/**
 * RDNA 4: nothing is repeated; lanes 16-31 hold the second half of the rows of D. Of k, a lane's two registers of
 * 16-bit numbers are 4 in a row, its next two those 8 further on, and lanes 16-31 have what lies between; of 8-bit
 * numbers lanes 16-31 have the second half.
 */
template <UnitNumber number_>
struct WmmaTableGfx12 : WmmaTableGfx11<number_> {
  static constexpr u32 kEach = 8, kRow = unit_bytes(number_) == 2 ? 4 : 8;
  static u32 k(u32 lane, u32 index) { return index / kRow * 2 * kRow + kRow * (lane / 16) + index % kRow; }
  static u32 row(u32 lane, u32 i) { return 8 * (lane / 16) + i; }
};

}  // namespace gpumark::device
