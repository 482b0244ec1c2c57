#include "numerics/arguments.h"

#include <cstring>

#include "core/kernel-table.h"

namespace gpumark::numerics {
namespace {

std::uint32_t tiles_of(const Row& row, const Product& product) {
  return (product.m + row.tile_m - 1) / row.tile_m * ((product.n + row.tile_n - 1) / row.tile_n);
}

std::string launch(const Row& row, const void* arguments, std::uint32_t blocks) {
  const sim::Kernel* kernel = sim::find_matrix_kernel(row.kernel);
  if (!kernel) return "no such kernel in the simulator's table";
  return kernel->run(arguments, blocks, row.shared_bytes) ? "" : "its threads wait for each other for good";
}

/** Families whose arguments are plain addresses, with a block per tile. */
std::string run_plain(const Row& row, const Product& product) {
  const device::GemmArgs args = {product.c, product.a, product.b, product.m, product.n, product.k};
  return launch(row, &args, tiles_of(row, product));
}

struct Family {
  const char* name;
  std::string (*run)(const Row&, const Product&);
};
const Family kFamilies[] = {{"mma_sync", run_plain}, {"mfma", run_plain}, {"wmma", run_plain}};

}  // namespace

std::string run_product(const Row& row, const Product& product) {
  for (const Family& family : kFamilies) {
    if (std::strcmp(family.name, row.family) == 0) return family.run(row, product);
  }
  return std::string("nobody knows how to launch the family ") + row.family;
}

}  // namespace gpumark::numerics
