// Matrix instructions of AMD in C++: what all have in common. A table says which element of A, B and D stands in which
// lane and where.
#pragma once
#include <cstring>

#include "amd-wave.h"

namespace gpumark::device {

/** The results that a lane holds. */
template <class Result, u32 count>
struct SimulatedSum {
  Result at[count];
  Result& operator[](u32 i) { return at[i]; }
  const Result& operator[](u32 i) const { return at[i]; }
};

enum class UnitNumber { fp16, bf16, e4m3, e4m3_fnuz, xf32, fp32, fp64 };

constexpr u32 unit_bytes(UnitNumber number) {
  return number == UnitNumber::fp64                                 ? 8
         : number == UnitNumber::xf32 || number == UnitNumber::fp32 ? 4
         : number == UnitNumber::fp16 || number == UnitNumber::bf16 ? 2
                                                                    : 1;
}

/**
 * Number `index` of a lane's operand, as the unit sees it. How xf32 drops bits is not documented; rounding to nearest
 * is assumed.
 */
inline double unit_number(UnitNumber number, const unsigned char* bytes, u32 index) {
  unsigned short word = 0;
  switch (number) {
    case UnitNumber::fp64: {
      double value = 0;
      std::memcpy(&value, bytes + 8 * index, sizeof value);
      return value;
    }
    case UnitNumber::fp32: {
      float value = 0;
      std::memcpy(&value, bytes + 4 * index, sizeof value);
      return static_cast<double>(value);
    }
    case UnitNumber::xf32: {
      u32 bits = 0;
      std::memcpy(&bits, bytes + 4 * index, sizeof bits);
      return static_cast<double>(float_of_bits((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu));
    }
    case UnitNumber::e4m3: return static_cast<double>(decode_number(NumberFormat::e4m3, bytes[index]));
    case UnitNumber::e4m3_fnuz: return static_cast<double>(decode_number(NumberFormat::e4m3_fnuz, bytes[index]));
    default:
      std::memcpy(&word, bytes + 2 * index, sizeof word);
      return static_cast<double>(
          decode_number(number == UnitNumber::fp16 ? NumberFormat::fp16 : NumberFormat::bf16, word));
  }
}

/** What a lane brings to an instruction. */
template <class Result>
struct UnitOwn {
  const unsigned char* a;
  const unsigned char* b;
  Result* sums;
};

/**
 * D += A x B, by Table: kEdge, kDepth, kEach numbers per operand and kResults per lane, line(lane), k(lane, i),
 * row(lane, i), column(lane).
 */
template <class Table>
void act_unit(void* const* all) {
  using Result = typename Table::Result;
  // Not thread_local: what is there comes out of the little room that a process keeps for libraries it loads later.
  Result a[Table::kEdge][Table::kDepth], b[Table::kEdge][Table::kDepth];
  for (u32 lane = 0; lane < Table::kLanes; ++lane) {
    const auto& own = *static_cast<UnitOwn<Result>*>(all[lane]);
    for (u32 i = 0; i < Table::kEach; ++i) {
      a[Table::line(lane)][Table::k(lane, i)] = static_cast<Result>(unit_number(Table::number, own.a, i));
      b[Table::line(lane)][Table::k(lane, i)] = static_cast<Result>(unit_number(Table::number, own.b, i));
    }
  }
  for (u32 lane = 0; lane < Table::kLanes; ++lane) {
    const auto& own = *static_cast<UnitOwn<Result>*>(all[lane]);
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
void simulate_unit(Sum& sum, const Chunk (&a)[chunks], const Chunk (&b)[chunks], u32 part) {
  constexpr u32 kBytes = Table::kEach * unit_bytes(Table::number);
  UnitOwn<typename Table::Result> own = {reinterpret_cast<const unsigned char*>(a) + part * kBytes,
                                         reinterpret_cast<const unsigned char*>(b) + part * kBytes, sum.at};
  drift();
  gpumark_sim_together(Table::kLanes, &own, act_unit<Table>);
}

}  // namespace gpumark::device
