// One kernel, one shape: random inputs, the product in fp64, and every element compared.
#pragma once
#include <string>

#include "numerics/arguments.h"

namespace gpumark::numerics {

struct Shape {
  std::uint32_t m, n, k;
};

struct Outcome {
  /** Worst error as a part of its bound; more than 1, or infinite where there is no number, is wrong. */
  double worst;
  /** What is wrong, or nothing. */
  std::string problem;
};

Outcome check_product(const Row& row, const Shape& shape, std::uint64_t seed);

}  // namespace gpumark::numerics
