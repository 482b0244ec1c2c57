// 8 x 12 floats = 24 accumulators + 3 of b + 2 of a of 32 registers.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
using Fp32 = MultiplyAdd<float, 16>;
using Fp64 = MultiplyAdd<double, 16>;
}  // namespace

extern const GemmKernel kGemmNeonFp32[] = {{"neon-8x12", 8, 12, gemm_tile<Fp32, 8, 3>}, {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmNeonFp64[] = {{"neon-8x6", 8, 6, gemm_tile<Fp64, 8, 3>}, {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
