// fp16 with sums in fp32 by fmlal (FEAT_FHM): 4 sums take 4 products of halves with one half of a per instruction.
// 8 x 12 = 24 accumulators + 2 of b + 1 of a of 32 registers. fmla on halves would be twice as fast and keep its sums
// in fp16.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

typedef float Floats __attribute__((vector_size(16), may_alias, aligned(4)));
typedef std::uint16_t Words __attribute__((vector_size(16), may_alias, aligned(2)));
typedef std::uint16_t HalfWords __attribute__((vector_size(8), may_alias, aligned(2)));
constexpr int kRows = 8;

/**
 * One row of C: 12 sums take halves 0-7 and 8-11 of b times half `Row` of a. Indexed half-precision operands must be in
 * registers 0-15 (constraint x).
 */
template <int Row>
inline __attribute__((always_inline)) void add_rows(Floats (*acc)[3], Words a, Words left, HalfWords right) {
  __asm__("fmlal %0.4s, %1.4h, %2.h[%3]" : "+w"(acc[Row][0]) : "w"(left), "x"(a), "i"(Row));
  __asm__("fmlal2 %0.4s, %1.4h, %2.h[%3]" : "+w"(acc[Row][1]) : "w"(left), "x"(a), "i"(Row));
  __asm__("fmlal %0.4s, %1.4h, %2.h[%3]" : "+w"(acc[Row][2]) : "w"(right), "x"(a), "i"(Row));
  if constexpr (Row + 1 < kRows) add_rows<Row + 1>(acc, a, left, right);
}

void fmlal_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc,
                int accumulate, const void* next_b) {
  const auto* a = static_cast<const std::uint16_t*>(packed_a);
  const auto* b = static_cast<const std::uint16_t*>(packed_b);
  const auto* next = static_cast<const std::uint16_t*>(next_b);
  auto* c = static_cast<float*>(c_start);
  Floats acc[kRows][3] = {};
#pragma GCC unroll 2
  for (std::size_t step = 0; step < steps; ++step) {
    __builtin_prefetch(next, 0, 2);
    add_rows<0>(acc, *reinterpret_cast<const Words*>(a), *reinterpret_cast<const Words*>(b),
                *reinterpret_cast<const HalfWords*>(b + 8));
    a += kRows;
    b += 12;
    next += 12;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      Floats* out = reinterpret_cast<Floats*>(c + static_cast<std::size_t>(i) * ldc + 4 * j);
      *out = accumulate ? *out + acc[i][j] : acc[i][j];
    }
  }
}

void convert_fp16_neon(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 4) {
    HalfWords rounded;
    __asm__("fcvtn %0.4h, %1.4s" : "=w"(rounded) : "w"(*reinterpret_cast<const Floats*>(sums + i)));
    *reinterpret_cast<HalfWords*>(out + i) = rounded;
  }
}

}  // namespace

extern const GemmKernel kGemmNeonFp16[] = {{"neon-fp16-8x12", 8, 12, fmlal_tile, "neon-fhm", 1, 1, convert_fp16_neon},
                                           {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
