// The formats that each type multiplies, and how far an element may be from the product in fp64.
//
// With S = sum |a||b| of the element and c its exact value, a correct kernel has |error| <= input * S + k * add * S +
// round * |c| + floor:
//
// - input: error of a product because the type rounds its inputs. tf32 keeps 11 significant bits of a and of b; the
// error of each is 2^-11 if they are rounded and 2^-10 if they are truncated (NVIDIA's manual does not specify which).
// The other types represent their inputs exactly, and products of them are exact in fp32.
//
// - add: the error of every addition to a sum of k terms is at most 2^-23 of S in fp32 (2^-24 if rounded, twice that if
// truncated, as matrix units do), 2^-52 in fp64.
//
// - round: half a unit in the last place of the output: 2^-11 fp16, 2^-8 bf16, 2^-24 fp32.
//
// - floor: half the smallest step, for subnormal fp16.
//
// The bounds hold for every input, so no correct result fails. S grows with k, but the error of one wrong product does
// not: k is kept small enough (kMostDepth) that one lost or duplicated product of ordinary size, about 1, exceeds the
// bound of every type.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "number-formats.h"

namespace gpumark::numerics {

constexpr std::uint32_t kMostDepth = 448;

struct TypeFacts {
  const char* name;
  NumberFormat input, output;
  double input_error, add_error, round_error, floor;
};
constexpr double kStep10 = 0x1p-10;
constexpr TypeFacts kTypes[] = {
    {"fp64", NumberFormat::fp64, NumberFormat::fp64, 0, 0x1p-52, 0, 0},
    {"tf32", NumberFormat::fp32, NumberFormat::fp32, 2 * kStep10 + kStep10* kStep10, 0x1p-23, 0x1p-24, 0},
    {"fp32", NumberFormat::fp32, NumberFormat::fp32, 0, 0x1p-23, 0x1p-24, 0},
    {"fp32_matrix", NumberFormat::fp32, NumberFormat::fp32, 0, 0x1p-23, 0x1p-24, 0},
    {"fp16", NumberFormat::fp16, NumberFormat::fp16, 0, 0x1p-23, 0x1p-11, 0x1p-25},
    {"bf16", NumberFormat::bf16, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"mixed", NumberFormat::fp16, NumberFormat::fp32, 0, 0x1p-23, 0x1p-24, 0},
    {"fp8", NumberFormat::e4m3, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"nvfp4", NumberFormat::nvfp4, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"mxfp4", NumberFormat::mxfp4, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"mxfp8", NumberFormat::mxfp8, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"mxfp4_rows", NumberFormat::mxfp4_rows, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"mxfp8_rows", NumberFormat::mxfp8_rows, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
    {"fp8fnuz", NumberFormat::e4m3_fnuz, NumberFormat::bf16, 0, 0x1p-23, 0x1p-8, 0},
};

/** Null if there is no such type. */
inline const TypeFacts* find_type(const char* name) {
  for (const TypeFacts& type : kTypes) {
    if (std::strcmp(type.name, name) == 0) return &type;
  }
  return nullptr;
}

inline double bound_of(const TypeFacts& type, std::uint32_t k, double magnitudes, double value) {
  return (type.input_error + k * type.add_error) * magnitudes + type.round_error * std::fabs(value) + type.floor;
}

}  // namespace gpumark::numerics
