// One kernel, one shape: random inputs, the product in fp64, and every element compared.
#pragma once
#include <string>

#include "numerics/arguments.h"

namespace gpumark::numerics {

struct Shape {
  std::uint32_t m, n, k;
};

struct Outcome {
  /** The worst error divided by its bound: wrong if above 1; infinite if an element is not a number. */
  double worst;
  /** What is wrong; empty if nothing is. */
  std::string problem;
};

Outcome check_product(const Row& row, const Shape& shape, std::uint64_t seed);

}  // namespace gpumark::numerics
