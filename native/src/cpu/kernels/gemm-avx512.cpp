// 14 x 32 floats = 28 accumulators + 2 of b of 32 registers (the broadcast folds into the instruction); 12 x 32 and 8 x
// 48 as alternatives.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
using Fp32 = MultiplyAdd<float, 64>;
using Fp64 = MultiplyAdd<double, 64>;
}  // namespace

extern const GemmKernel kGemmAvx512Fp32[] = {{"avx512-14x32", 14, 32, gemm_tile<Fp32, 14, 2>},
                                             {"avx512-12x32", 12, 32, gemm_tile<Fp32, 12, 2>},
                                             {"avx512-8x48", 8, 48, gemm_tile<Fp32, 8, 3>},
                                             {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmAvx512Fp64[] = {{"avx512-14x16", 14, 16, gemm_tile<Fp64, 14, 2>},
                                             {"avx512-12x16", 12, 16, gemm_tile<Fp64, 12, 2>},
                                             {"avx512-8x24", 8, 24, gemm_tile<Fp64, 8, 3>},
                                             {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
