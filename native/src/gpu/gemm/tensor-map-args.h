// The arguments of kernels that copy by tensor maps (Hopper and later), and the number of their persistent blocks.
#pragma once
#include "gemm-kernels.h"
#include "gpu/gemm/gemm-problem.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/gpu-context.h"

namespace gpumark {

/** False on drivers before CUDA 12.0, which cannot encode tensor maps. */
bool makes_tensor_maps(const GpuContext& gpu);

/**
 * Tensor maps of A and B, and the other arguments. A block copies tile_m rows of A at a time, and its share of tile_n
 * rows of B if `cluster` blocks share it. Valid as long as the operands stay at their addresses.
 * @throws GpuError if the driver refuses a map, for example for an address that is not a multiple of 16
 */
device::TensorMapGemmArgs tensor_map_args(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape,
                                          const GemmOperands& operands);

/** The grid: one block per multiprocessor, in whole clusters, or less if the product has fewer tiles. */
unsigned tensor_map_blocks(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape);

}  // namespace gpumark
