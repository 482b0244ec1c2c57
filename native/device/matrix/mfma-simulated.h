// MFMA in C++, as AMD describes it (CDNA 3 and CDNA 4 instruction set, "Matrix Arithmetic Instructions"; AMD's matrix instruction
// calculator): which element of A, B and D stands in which lane. Tables of single instructions; nothing here knows the kernels.
#pragma once
#include <cstring>

#include "amd-wave.h"

namespace gpumark::device {

struct MfmaSum {
  float at[16];
  float& operator[](u32 i) { return at[i]; }
  const float& operator[](u32 i) const { return at[i]; }
};
struct MfmaSumFp64 {
  double at[4];
  double& operator[](u32 i) { return at[i]; }
  const double& operator[](u32 i) const { return at[i]; }
};

enum class MfmaNumber { fp16, bf16, e4m3, e4m3_fnuz, xf32, fp64 };

constexpr u32 mfma_bytes(MfmaNumber number) {
  return number == MfmaNumber::fp64 ? 8 : number == MfmaNumber::xf32 ? 4 : number == MfmaNumber::fp16 || number == MfmaNumber::bf16 ? 2 : 1;
}

/** Number `index` of a lane's operand, as the unit sees it. How xf32 drops bits is not documented; rounding to nearest is assumed. */
inline double mfma_number(MfmaNumber number, const unsigned char* bytes, u32 index) {
  unsigned short word = 0;
  switch (number) {
    case MfmaNumber::fp64: {
      double value = 0;
      std::memcpy(&value, bytes + 8 * index, sizeof value);
      return value;
    }
    case MfmaNumber::xf32: {
      u32 bits = 0;
      std::memcpy(&bits, bytes + 4 * index, sizeof bits);
      return static_cast<double>(float_of_bits((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu));
    }
    case MfmaNumber::e4m3: return static_cast<double>(decode_number(NumberFormat::e4m3, bytes[index]));
    case MfmaNumber::e4m3_fnuz: return static_cast<double>(decode_number(NumberFormat::e4m3_fnuz, bytes[index]));
    default:
      std::memcpy(&word, bytes + 2 * index, sizeof word);
      return static_cast<double>(decode_number(number == MfmaNumber::fp16 ? NumberFormat::fp16 : NumberFormat::bf16, word));
  }
}

/** V_MFMA_F32_32X32X<2 * each>: lane l holds row (of A) or column (of B) l % 32 and k from each * (l / 32) on. */
template <MfmaNumber number_, u32 depth>
struct MfmaTable32x32 {
  typedef float Result;
  static constexpr MfmaNumber number = number_;
  static constexpr u32 kEdge = 32, kDepth = depth, kEach = depth / 2, kResults = 16;
  static u32 line(u32 lane) { return lane % 32; }
  static u32 k(u32 lane, u32 index) { return kEach * (lane / 32) + index; }
  static u32 row(u32 lane, u32 i) { return (8 * (i / 4) % 32) + 4 * (lane / 32) + i % 4; }
  static u32 column(u32 lane) { return lane % 32; }
};

/** V_MFMA_F32_32X32X64_F8F6F4 with operands of 8 bits: 16 consecutive k in the first four registers, 32 on in the other four. */
struct MfmaTableFp8Wide : MfmaTable32x32<MfmaNumber::e4m3, 64> {
  static u32 k(u32 lane, u32 index) { return index / 16 * 32 + 16 * (lane / 32) + index % 16; }
};

/** V_MFMA_F64_16X16X4_F64: rows of D go round the lanes first, other than with fp32. */
struct MfmaTableFp64 {
  typedef double Result;
  static constexpr MfmaNumber number = MfmaNumber::fp64;
  static constexpr u32 kEdge = 16, kDepth = 4, kEach = 1, kResults = 4;
  static u32 line(u32 lane) { return lane % 16; }
  static u32 k(u32 lane, u32 index) { return lane / 16 + index; }
  static u32 row(u32 lane, u32 i) { return 4 * i + lane / 16; }
  static u32 column(u32 lane) { return lane % 16; }
};

/** What a lane brings to an instruction. */
template <class Result>
struct MfmaOwn {
  const unsigned char* a;
  const unsigned char* b;
  Result* sums;
};

template <class Table>
void act_mfma(void* const* all) {
  using Result = typename Table::Result;
  Result a[Table::kEdge][Table::kDepth], b[Table::kEdge][Table::kDepth];
  for (u32 lane = 0; lane < 64; ++lane) {
    const auto& own = *static_cast<MfmaOwn<Result>*>(all[lane]);
    for (u32 i = 0; i < Table::kEach; ++i) {
      a[Table::line(lane)][Table::k(lane, i)] = static_cast<Result>(mfma_number(Table::number, own.a, i));
      b[Table::line(lane)][Table::k(lane, i)] = static_cast<Result>(mfma_number(Table::number, own.b, i));
    }
  }
  for (u32 lane = 0; lane < 64; ++lane) {
    const auto& own = *static_cast<MfmaOwn<Result>*>(all[lane]);
    for (u32 i = 0; i < Table::kResults; ++i) {
      const Result* left = a[Table::row(lane, i)];
      const Result* right = b[Table::column(lane)];
      Result sum = 0;
      for (u32 k = 0; k < Table::kDepth; ++k) sum += left[k] * right[k];
      own.sums[i] += sum;
    }
  }
}

/** Instruction `part` of those that a lane's chunks take: the first, the second and so on of its bytes. */
template <class Table, class Sum, u32 chunks>
void simulate_mfma(Sum& sum, const Chunk (&a)[chunks], const Chunk (&b)[chunks], u32 part) {
  constexpr u32 kBytes = Table::kEach * mfma_bytes(Table::number);
  MfmaOwn<typename Table::Result> own = {reinterpret_cast<const unsigned char*>(a) + part * kBytes, reinterpret_cast<const unsigned char*>(b) + part * kBytes, sum.at};
  drift();
  gpumark_sim_together(64, &own, act_mfma<Table>);
}

}  // namespace gpumark::device
