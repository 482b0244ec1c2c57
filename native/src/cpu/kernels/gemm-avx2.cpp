// 6 x 16 floats = 12 accumulators + 2 of b + 1 broadcast of 16 registers; 4 x 24 trades broadcasts for loads.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
using Fp32 = MultiplyAdd<float, 32>;
using Fp64 = MultiplyAdd<double, 32>;
}  // namespace

extern const GemmKernel kGemmAvx2Fp32[] = {
    {"avx2-6x16", 6, 16, gemm_tile<Fp32, 6, 2>}, {"avx2-4x24", 4, 24, gemm_tile<Fp32, 4, 3>}, {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmAvx2Fp64[] = {
    {"avx2-6x8", 6, 8, gemm_tile<Fp64, 6, 2>}, {"avx2-4x12", 4, 12, gemm_tile<Fp64, 4, 3>}, {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
