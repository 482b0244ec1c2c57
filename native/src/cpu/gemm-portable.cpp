// Plain C++ tiles in the packed layouts of the 16-bit kernels. No ISA flags here, and no figure from here.
#include "cpu/gemm-candidates.h"

namespace gpumark {
namespace {

template <class Input, int MR, int NR, int AGroup, int BGroup>
void portable_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc,
                   int accumulate, const void*) {
  const auto* a = static_cast<const Input*>(packed_a);
  const auto* b = static_cast<const Input*>(packed_b);
  auto* c = static_cast<float*>(c_start);
  float acc[MR][NR] = {};
  for (std::size_t k = 0; k < steps * AGroup; ++k) {
    float row[NR];
    for (std::size_t j = 0; j < NR; ++j)
      row[j] = static_cast<float>(widened(b[(k / BGroup * NR + j) * BGroup + k % BGroup]));
    for (std::size_t i = 0; i < MR; ++i) {
      const auto factor = static_cast<float>(widened(a[(k / AGroup * MR + i) * AGroup + k % AGroup]));
      for (std::size_t j = 0; j < NR; ++j) acc[i][j] += factor * row[j];
    }
  }
  for (std::size_t i = 0; i < MR; ++i) {
    for (std::size_t j = 0; j < NR; ++j) c[i * ldc + j] = accumulate ? c[i * ldc + j] + acc[i][j] : acc[i][j];
  }
}

template <class Output>
void portable_convert(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = narrowed<Output>(sums[i]).bits;
}

template <class Input, int MR, int NR, int AGroup, int BGroup>
constexpr GemmKernel portable(const char* name) {
  return {name,       MR,     NR,     portable_tile<Input, MR, NR, AGroup, BGroup>,
          "portable", AGroup, BGroup, portable_convert<Input>};
}

// Pairs as vdpbf16ps takes them, tiles as AMX does, quads as bfmmla does, rows as fmlal does; and tiles of odd sizes.
const GemmKernel kPortableBf16[] = {portable<Bf16, 12, 32, 2, 2>("portable-bf16-pairs-12x32"),
                                    portable<Bf16, 32, 32, 32, 2>("portable-bf16-tiles-32x32"),
                                    portable<Bf16, 8, 12, 4, 4>("portable-bf16-quads-8x12"),
                                    portable<Bf16, 5, 7, 4, 2>("portable-bf16-odd-5x7"),
                                    {nullptr, 0, 0, nullptr}};
const GemmKernel kPortableFp16[] = {portable<Half, 32, 32, 32, 2>("portable-fp16-tiles-32x32"),
                                    portable<Half, 8, 12, 1, 1>("portable-fp16-rows-8x12"),
                                    {nullptr, 0, 0, nullptr}};

}  // namespace

template <>
std::vector<const GemmKernel*> portable_stand_ins<Bf16>() {
  return kernels_of(kPortableBf16);
}

template <>
std::vector<const GemmKernel*> portable_stand_ins<Half>() {
  return kernels_of(kPortableFp16);
}

}  // namespace gpumark
