#include "numerics/arguments.h"

#include <cstring>

#include "block-scales.h"
#include "core/kernel-table.h"
#include "core/tensor-map.h"

namespace gpumark::numerics {
namespace {

std::uint32_t tiles_of(const Row& row, const Product& product) {
  return (product.m + row.tile_m - 1) / row.tile_m * ((product.n + row.tile_n - 1) / row.tile_n);
}

std::string launch(const Row& row, const void* arguments, std::uint32_t blocks) {
  const sim::Kernel* kernel = sim::find_matrix_kernel(row.kernel);
  if (!kernel) return "no such kernel in the simulator's table";
  return kernel->run(arguments, blocks, row.shared_bytes) ? "" : "its threads deadlock";
}

/** Families whose arguments are plain addresses, with one block per tile. */
std::string run_plain(const Row& row, const Product& product) {
  const device::GemmArgs args = {product.c, product.a, product.b, product.m, product.n, product.k};
  return launch(row, &args, tiles_of(row, product));
}

/** Families with persistent blocks: three clusters, so that most of them process several tiles. */
std::string run_by_tensor_maps(const Row& row, const Product& product) {
  const auto encode = [&](device::TensorMap* map, const void* matrix, std::uint32_t rows, std::uint32_t box_rows) {
    const bool scaled = is_block_scaled(product.input);
    const std::uint32_t of_byte = scaled && is_four_bits(product.input) ? 2 : 1;
    const int type = product.input == NumberFormat::e4m3 || scaled ? 0
                     : product.input == NumberFormat::fp16         ? 6
                     : product.input == NumberFormat::bf16         ? 9
                                                                   : 11;
    const std::uint64_t sizes[] = {product.k / of_byte, rows},
                        stride = sizes[0] * (scaled ? 1 : bytes_of(product.input));
    const std::uint32_t box[] = {row.tile_k / of_byte, box_rows}, steps[] = {1, 1};
    return sim::encode_tensor_map({map, type, 2, const_cast<void*>(matrix), sizes, &stride, box, steps, 0, 3, 3, 0});
  };
  constexpr std::uint32_t kClusters = 3;
  device::TensorMapGemmArgs args = {
      {}, {}, product.c, product.m, product.n, product.k, kClusters * row.cluster, nullptr, nullptr};
  if (is_block_scaled(product.input)) {
    args.scales_a = static_cast<const char*>(product.a) + scales_begin(product.input, product.m, product.k);
    args.scales_b = static_cast<const char*>(product.b) + scales_begin(product.input, product.n, product.k);
  }
  const char* why = encode(&args.a, product.a, product.m, row.tile_m);
  if (!why) why = encode(&args.b, product.b, product.n, row.tile_n / row.cluster);
  return why ? std::string("no tensor map: ") + why : launch(row, &args, args.blocks);
}

struct Family {
  const char* name;
  std::string (*run)(const Row&, const Product&);
};
const Family kFamilies[] = {{"mma_sync", run_plain}, {"mfma", run_plain},           {"wmma", run_plain},
                            {"simt", run_plain},     {"wgmma", run_by_tensor_maps}, {"tcgen05", run_by_tensor_maps}};

}  // namespace

std::string run_product(const Row& row, const Product& product) {
  for (const Family& family : kFamilies) {
    if (std::strcmp(family.name, row.family) == 0) return family.run(row, product);
  }
  return std::string("unknown kernel family ") + row.family;
}

}  // namespace gpumark::numerics
