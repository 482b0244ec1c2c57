// 4 x 8 floats: 8 accumulators + 2 of b + 1 broadcast + products; without fused multiply-add the products need
// registers too.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
using Fp32 = MultiplyAdd<float, 16>;
using Fp64 = MultiplyAdd<double, 16>;
}  // namespace

extern const GemmKernel kGemmSse2Fp32[] = {{"sse2-4x8", 4, 8, gemm_tile<Fp32, 4, 2>}, {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmSse2Fp64[] = {{"sse2-4x4", 4, 4, gemm_tile<Fp64, 4, 2>}, {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
