// bf16 by bfmmla: 2 x 2 sums take 4 ks of two rows and two columns. 8 x 12 = 24 accumulators + 4 of a + 2 of b of 32
// registers. The instructions are written out, because the compilers' names for them differ between versions.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

typedef float Floats __attribute__((vector_size(16), may_alias, aligned(4)));
typedef std::uint16_t Words __attribute__((vector_size(16), may_alias, aligned(2)));
typedef std::uint16_t HalfWords __attribute__((vector_size(8), may_alias, aligned(2)));
typedef int Indices __attribute__((vector_size(16)));
constexpr int kRowPairs = 4;
constexpr int kColumnPairs = 6;

/**
 * Two neighbouring blocks hold columns 0-1 and 2-3 of an upper row in their first halves and of a lower row in their
 * second.
 */
void store_blocks(float* c, std::size_t ldc, Floats left, Floats right, int accumulate) {
  const Floats rows[2] = {__builtin_shuffle(left, right, Indices{0, 1, 4, 5}),
                          __builtin_shuffle(left, right, Indices{2, 3, 6, 7})};
  for (int i = 0; i < 2; ++i) {
    Floats* out = reinterpret_cast<Floats*>(c + static_cast<std::size_t>(i) * ldc);
    *out = accumulate ? *out + rows[i] : rows[i];
  }
}

void bfmmla_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc,
                 int accumulate, const void* next_b) {
  const auto* a = static_cast<const std::uint16_t*>(packed_a);
  const auto* b = static_cast<const std::uint16_t*>(packed_b);
  const auto* next = static_cast<const std::uint16_t*>(next_b);
  auto* c = static_cast<float*>(c_start);
  Floats acc[kRowPairs][kColumnPairs] = {};
  for (std::size_t step = 0; step < steps; ++step) {
    Words rows[kRowPairs];
    __builtin_prefetch(next, 0, 2);
#pragma GCC unroll 8
    for (int i = 0; i < kRowPairs; ++i) rows[i] = *reinterpret_cast<const Words*>(a + 8 * i);
#pragma GCC unroll 8
    for (int j = 0; j < kColumnPairs; ++j) {
      const Words columns = *reinterpret_cast<const Words*>(b + 8 * j);
#pragma GCC unroll 8
      for (int i = 0; i < kRowPairs; ++i)
        __asm__("bfmmla %0.4s, %1.8h, %2.8h" : "+w"(acc[i][j]) : "w"(rows[i]), "w"(columns));
    }
    a += 8 * kRowPairs;
    b += 8 * kColumnPairs;
    next += 8 * kColumnPairs;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRowPairs; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kColumnPairs; j += 2)
      store_blocks(c + static_cast<std::size_t>(2 * i) * ldc + 2 * j, ldc, acc[i][j], acc[i][j + 1], accumulate);
  }
}

void convert_bf16_neon(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 4) {
    HalfWords rounded;
    __asm__("bfcvtn %0.4h, %1.4s" : "=w"(rounded) : "w"(*reinterpret_cast<const Floats*>(sums + i)));
    *reinterpret_cast<HalfWords*>(out + i) = rounded;
  }
}

}  // namespace

extern const GemmKernel kGemmNeonBf16[] = {
    {"neon-bf16-8x12", 8, 12, bfmmla_tile, "neon-bf16", 4, 4, convert_bf16_neon, nullptr, nullptr, true},
    {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
