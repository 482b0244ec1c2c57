// The element types of matrix products, and their conversions from and to double.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "half-words.h"

namespace gpumark {

struct Bf16 {
  std::uint16_t bits;
};
struct Half {
  std::uint16_t bits;
};

/** fp32 to bf16, nearest, ties to even; NaN stays NaN. A number too large becomes infinity. */
inline Bf16 bf16_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline double widened(double x) { return x; }
inline double widened(float x) { return x; }
inline double widened(Half x) { return double_of_half(x.bits); }
inline double widened(Bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x.bits) << 16;
  float wide = 0;
  std::memcpy(&wide, &bits, sizeof wide);
  return wide;
}

/** Input data: converted to bf16 through fp32, which may round twice; that does not matter for test data. */
template <class T>
T narrowed(double x) {
  if constexpr (std::is_same_v<T, Half>) {
    return {half_of(x)};
  } else if constexpr (std::is_same_v<T, Bf16>) {
    return bf16_of(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

/** Types of the inputs, of the accumulators and of the output. */
template <class InputType, class SumType, class OutputType>
struct GemmTypes {
  using Input = InputType;
  using Sum = SumType;
  using Output = OutputType;
  /** The sums are rounded to the output type once they are complete. */
  static constexpr bool kConverts = !std::is_same_v<Sum, Output>;
};
using Fp32Product = GemmTypes<float, float, float>;
using Fp64Product = GemmTypes<double, double, double>;
using Bf16Product = GemmTypes<Bf16, float, Bf16>;
using Fp16Product = GemmTypes<Half, float, Half>;
using MixedProduct = GemmTypes<Half, float, float>;

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, double>) return "fp64";
  if constexpr (std::is_same_v<T, float>) return "fp32";
  return std::is_same_v<T, Bf16> ? "bf16" : "fp16";
}

}  // namespace gpumark
