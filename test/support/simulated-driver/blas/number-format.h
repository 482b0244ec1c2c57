// Encodings of matrix elements. fp8 exists in both e4m3 formats: OCP (bias 7, no infinity, NaN is all ones) and FNUZ
// (bias 8, NaN is negative zero).
#pragma once
#include <cstddef>
#include <cstdint>

namespace gpumark::sim::blas {

/** fp4 is E2M1, two per byte, the first one in the lower half. */
enum class Element { fp4, fp8, fp8_fnuz, fp16, bf16, fp32, fp64 };

/** For fp4 it is 1, the byte that two elements share. */
std::size_t bytes_of(Element element);
/** An 8-bit scale: UE4M3 or UE8M0. */
double read_scale(bool ue4m3, unsigned bits);
double read_number(Element element, const void* matrix, std::size_t index);
/** Rounds to nearest, ties to even. */
void write_number(Element element, void* matrix, std::size_t index, double value);
/** fp32 with the mantissa rounded to 10 bits, as matrix units round TF32 inputs. */
float rounded_to_tf32(float value);

}  // namespace gpumark::sim::blas
