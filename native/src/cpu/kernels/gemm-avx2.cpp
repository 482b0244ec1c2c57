// 6 x 16 floats = 12 accumulators + 2 of b + 1 broadcast of 16 registers; 4 x 24 trades broadcasts for loads.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
typedef float Floats __attribute__((vector_size(32), may_alias, aligned(32)));
typedef double Doubles __attribute__((vector_size(32), may_alias, aligned(32)));
}  // namespace

extern const GemmKernel kGemmAvx2Fp32[] = {
    {"avx2-6x16", 6, 16, gemm_tile<float, Floats, 6, 2>}, {"avx2-4x24", 4, 24, gemm_tile<float, Floats, 4, 3>}, {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmAvx2Fp64[] = {
    {"avx2-6x8", 6, 8, gemm_tile<double, Doubles, 6, 2>}, {"avx2-4x12", 4, 12, gemm_tile<double, Doubles, 4, 3>}, {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
