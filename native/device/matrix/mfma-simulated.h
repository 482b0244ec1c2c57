// MFMA as AMD describes it (CDNA 3 and CDNA 4 instruction set, "Matrix Arithmetic Instructions"; AMD's matrix
// instruction calculator). Tables of single instructions; nothing here knows the kernels.
#pragma once
#include "matrix-unit-simulated.h"

namespace gpumark::device {

typedef SimulatedSum<float, 16> MfmaSum;
typedef SimulatedSum<double, 4> MfmaSumFp64;

/** V_MFMA_F32_32X32X<depth>: lane l holds row (of A) or column (of B) l % 32, and half of the k in a row, by l / 32. */
template <UnitNumber number_, u32 depth>
struct MfmaTable {
  typedef float Result;
  static constexpr UnitNumber number = number_;
  static constexpr u32 kLanes = 64, kEdge = 32, kDepth = depth, kEach = depth / 2, kResults = 16;
  static u32 line(u32 lane) { return lane % 32; }
  static u32 k(u32 lane, u32 index) { return kEach * (lane / 32) + index; }
  static u32 row(u32 lane, u32 i) { return (8 * (i / 4) % 32) + 4 * (lane / 32) + i % 4; }
  static u32 column(u32 lane) { return lane % 32; }
};

/**
 * V_MFMA_F32_32X32X64_F8F6F4 with operands of 8 bits: 16 consecutive k in the first four registers, those 32 further on
 * in the others.
 */
struct MfmaTableFp8Wide : MfmaTable<UnitNumber::e4m3, 64> {
  static u32 k(u32 lane, u32 index) { return index / 16 * 32 + 16 * (lane / 32) + index % 16; }
};

/** V_MFMA_F64_16X16X4_F64: the rows of D go round the lanes first, other than with fp32. */
struct MfmaTableFp64 {
  typedef double Result;
  static constexpr UnitNumber number = UnitNumber::fp64;
  static constexpr u32 kLanes = 64, kEdge = 16, kDepth = 4, kEach = 1, kResults = 4;
  static u32 line(u32 lane) { return lane % 16; }
  static u32 k(u32 lane, u32 index) { return lane / 16 + index; }
  static u32 row(u32 lane, u32 i) { return 4 * i + lane / 16; }
  static u32 column(u32 lane) { return lane % 16; }
};

}  // namespace gpumark::device
