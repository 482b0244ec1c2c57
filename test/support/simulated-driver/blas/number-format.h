// Element types of matrices, by their bits. fp8 in both of its e4m3 formats: OCP (bias 7, no infinity, NaN is all ones)
// and FNUZ (bias 8, NaN is the negative zero).
#pragma once
#include <cstddef>
#include <cstdint>

namespace gpumark::sim::blas {

/** fp4 is E2M1, two in a byte, the first in its lower half. */
enum class Element { fp4, fp8, fp8_fnuz, fp16, bf16, fp32, fp64 };

/** Of fp4, the byte that two share. */
std::size_t bytes_of(Element element);
/** A scale of eight bits: UE4M3, or UE8M0. */
double read_scale(bool ue4m3, unsigned bits);
double read_number(Element element, const void* matrix, std::size_t index);
/** Rounded to the nearest, ties to even. */
void write_number(Element element, void* matrix, std::size_t index, double value);
/** fp32 with the mantissa rounded to 10 bits, as matrix units take TF32. */
float rounded_to_tf32(float value);

}  // namespace gpumark::sim::blas
