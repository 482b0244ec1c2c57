// A matrix product as defined by BLAS, in column-major order: D = alpha * op(A) * op(B) + beta * C, in the host memory
// that represents device memory.
#pragma once
#include <cstdint>
#include <string>

#include "blas/number-format.h"
#include "core/device.h"

namespace gpumark::sim::blas {

struct Layout {
  Element element = Element::fp32;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;

  /** Bytes from the first element to the end of the last one. */
  std::size_t bytes() const {
    const std::size_t elements = columns == 0 ? 0 : static_cast<std::size_t>(leading) * (columns - 1) + rows;
    return element == Element::fp4 ? (elements + 1) / 2 : elements * bytes_of(element);
  }
};

/** Precision of products and sums. */
enum class Arithmetic { fp32, tf32, fp64 };

/** Modes as in both libraries: 0 one scale for all elements, 1 a UE4M3 for each 16 along k, 2 a UE8M0 for each 32. */
struct BlockScales {
  int mode = 0;
  std::uint64_t address = 0;
};
struct Operation {
  Arithmetic arithmetic = Arithmetic::fp32;
  bool transpose_a = false, transpose_b = false;
  BlockScales scales_a = {}, scales_b = {};
  /** Row by row (hipBLASLt) instead of in tiles of 128 x 4 (cuBLASLt). */
  bool scales_in_rows = false;
};

struct Matmul {
  Operation operation;
  Layout a, b, c, d;

  /** Whether the sizes of the operands match and every column is within its leading dimension. */
  bool fits() const;
  /** "fp16", "mixed", …: the runner's name; empty for a combination of types that no library supports. */
  std::string type() const;
  std::uint64_t depth() const { return operation.transpose_a ? a.rows : a.columns; }
};

struct MatmulArguments {
  double alpha = 1, beta = 0;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  std::uint64_t workspace = 0;
  std::size_t workspace_bytes = 0;
  /** Index in the library's list of algorithms. */
  int algorithm = 0;
};

/** Runs on the stream's thread: checks memory access, computes the product, applies faults. @returns a driver error */
int run_matmul(Device& device, const Matmul& matmul, const MatmulArguments& arguments);

/** Whether this architecture has instructions for this type. */
bool has_instructions(const Architecture& architecture, const std::string& type, Element input);

}  // namespace gpumark::sim::blas
