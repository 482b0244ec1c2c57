// One product in host memory, and how it is passed to each family of kernels.
#pragma once
#include <cstdint>
#include <string>

#include "gemm-kernels.h"
#include "number-formats.h"

namespace gpumark::numerics {

/** A row of the registry. */
struct Row {
  const char* kernel;
  const char* family;
  const char* type;
  std::uint32_t tile_m, tile_n, tile_k, stages, threads, cluster, shared_bytes;
};

struct Product {
  std::uint32_t m, n, k;
  void* c;
  const void* a;
  const void* b;
  NumberFormat input, output;
};

/** Runs the kernel of `row` on the product, as the host does on a card. @returns why it failed, or an empty string */
std::string run_product(const Row& row, const Product& product);

}  // namespace gpumark::numerics
