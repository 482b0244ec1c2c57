// 8 x 12 floats = 24 accumulators + 3 of b + 2 of a of 32 registers.
#include "cpu/kernels/gemm-tile.h"

namespace gpumark {
namespace {
typedef float Floats __attribute__((vector_size(16), may_alias, aligned(16)));
typedef double Doubles __attribute__((vector_size(16), may_alias, aligned(16)));
}  // namespace

extern const GemmKernel kGemmNeonFp32[] = {{"neon-8x12", 8, 12, gemm_tile<float, Floats, 8, 3>}, {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmNeonFp64[] = {{"neon-8x6", 8, 6, gemm_tile<double, Doubles, 8, 3>}, {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
