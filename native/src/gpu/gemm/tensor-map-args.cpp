#include "gpu/gemm/tensor-map-args.h"

#include <algorithm>
#include <cstdint>

#include "block-scales.h"
#include "gpu/gemm/gemm-data.h"

namespace gpumark {
namespace {

/** CUtensorMapDataType. For tf32 the copy rounds fp32; the matrix units alone would truncate. */
int map_type(GemmType type) {
  constexpr int kBytes = 0, kFp16 = 6, kBf16 = 9, kTf32 = 11;
  switch (type) {
    case GemmType::fp8:
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8: return kBytes;
    case GemmType::bf16: return kBf16;
    case GemmType::tf32: return kTf32;
    default: return kFp16;
  }
}

/**
 * A map of `rows` x k elements without gaps, in boxes of box_rows x tile_k, swizzled as the matrix units read them.
 * 4-bit elements are mapped as bytes of two elements each.
 */
device::TensorMap encode(const GpuContext& gpu, const OwnKernel& kernel, DevicePointer matrix, unsigned rows,
                         unsigned k, unsigned box_rows) {
  constexpr int kNoInterleave = 0, kSwizzle128Bytes = 3, kPromoteTo256Bytes = 3, kZeros = 0;
  const unsigned of_byte = kernel.type == GemmType::nvfp4 || kernel.type == GemmType::mxfp4 ? 2 : 1;
  const std::uint64_t sizes[] = {k / of_byte, rows};
  const std::uint64_t stride = sizes[0] * spec_of(kernel.type).input_bytes;
  const std::uint32_t box[] = {kernel.tile_k / of_byte, box_rows};
  const std::uint32_t steps[] = {1, 1};
  device::TensorMap map = {};
  gpu.check(
      gpu.driver().tensor_map_encoder()(&map, map_type(kernel.type), 2, reinterpret_cast<void*>(matrix), sizes, &stride,
                                        box, steps, kNoInterleave, kSwizzle128Bytes, kPromoteTo256Bytes, kZeros),
      "making a tensor map");
  return map;
}

}  // namespace

bool makes_tensor_maps(const GpuContext& gpu) { return gpu.driver().tensor_map_encoder() != nullptr; }

device::TensorMapGemmArgs tensor_map_args(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape,
                                          const GemmOperands& operands) {
  device::TensorMapGemmArgs args = {};
  args.a = encode(gpu, kernel, operands.a, shape.m, shape.k, kernel.tile_m);
  args.b = encode(gpu, kernel, operands.b, shape.n, shape.k, kernel.tile_n / kernel.cluster);
  args.c = reinterpret_cast<void*>(operands.c);
  args.m = shape.m;
  args.n = shape.n;
  args.k = shape.k;
  args.blocks = tensor_map_blocks(gpu, kernel, shape);
  if (is_block_scaled(kernel.type)) {
    const NumberFormat format = input_format(kernel.type, gpu.device());
    args.scales_a = reinterpret_cast<const void*>(operands.a + scales_begin(format, shape.m, shape.k));
    args.scales_b = reinterpret_cast<const void*>(operands.b + scales_begin(format, shape.n, shape.k));
  }
  return args;
}

unsigned tensor_map_blocks(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape) {
  const unsigned clusters = tiles_over(shape.m, shape.n, kernel.tile_m * kernel.cluster, kernel.tile_n);
  const unsigned at_a_time = std::max(1u, static_cast<unsigned>(gpu.device().multiprocessors) / kernel.cluster);
  return std::min(clusters, at_a_time) * kernel.cluster;
}

}  // namespace gpumark
