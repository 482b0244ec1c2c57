#include "gpu/gemm/gemm-problem.h"

namespace gpumark {

const GemmTypeSpec& spec_of(GemmType type) {
  static const GemmTypeSpec specs[] = {
      {"fp32", 4, 4}, {"fp64", 8, 8},        {"tf32", 4, 4},  {"fp16", 2, 2},  {"bf16", 2, 2},  {"mixed", 2, 4},
      {"fp8", 1, 2},  {"fp32_matrix", 4, 4}, {"nvfp4", 1, 2}, {"mxfp4", 1, 2}, {"mxfp8", 1, 2},
  };
  static_assert(sizeof specs / sizeof specs[0] == sizeof kGemmTypes / sizeof kGemmTypes[0], "a row for each type");
  return specs[static_cast<int>(type)];
}

}  // namespace gpumark
