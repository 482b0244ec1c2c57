// What Hopper's and Blackwell's matrix units multiply: rows of k that lie in shared memory.
#pragma once
#include "../kernels.h"

namespace gpumark::device {

enum class MatrixInput { fp16, bf16, tf32, e4m3 };
/** Of k in every row, what one instruction multiplies. */
constexpr u32 kStepBytes = 32;
constexpr u32 matrix_depth(MatrixInput input) {
  return input == MatrixInput::tf32 ? 8 : input == MatrixInput::e4m3 ? 32 : 16;
}

}  // namespace gpumark::device
