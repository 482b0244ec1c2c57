// bf16 by vdpbf16ps: 16 sums each take the products of a pair of ks per instruction. Tiles as for fp32, with pairs for
// floats. The instructions are written out, because the compilers' names for them differ between versions.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {

struct Bf16Pairs {
  typedef std::uint32_t Group __attribute__((may_alias));
  typedef std::uint32_t Row __attribute__((vector_size(64), may_alias, aligned(64)));
  typedef float Sum;
  typedef float Sums __attribute__((vector_size(64), may_alias, aligned(64)));
  static Row spread(Group pair) { return pair - Row{}; }
  static void add(Sums& sums, Row factor, Row row) {
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sums) : "v"(row), "v"(factor));
  }
};

typedef float Floats __attribute__((vector_size(64), may_alias, aligned(4)));
typedef std::uint16_t Words __attribute__((vector_size(32), may_alias, aligned(2)));

}  // namespace

void convert_bf16_avx512(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    Words rounded;
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(rounded) : "v"(*reinterpret_cast<const Floats*>(sums + i)));
    *reinterpret_cast<Words*>(out + i) = rounded;
  }
}

void convert_fp16_avx512(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    Words rounded;
    // Immediate 0: to nearest even, whatever the control register says.
    __asm__("vcvtps2ph $0, %1, %0" : "=v"(rounded) : "v"(*reinterpret_cast<const Floats*>(sums + i)));
    *reinterpret_cast<Words*>(out + i) = rounded;
  }
}

extern const GemmKernel kGemmAvx512Bf16[] = {
    {"avx512-bf16-14x32", 14, 32, gemm_tile<Bf16Pairs, 14, 2>, "avx512-bf16", 2, 2, convert_bf16_avx512},
    {"avx512-bf16-12x32", 12, 32, gemm_tile<Bf16Pairs, 12, 2>, "avx512-bf16", 2, 2, convert_bf16_avx512},
    {"avx512-bf16-8x48", 8, 48, gemm_tile<Bf16Pairs, 8, 3>, "avx512-bf16", 2, 2, convert_bf16_avx512},
    {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
