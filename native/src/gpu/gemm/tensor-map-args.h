// The arguments of kernels that copy by tensor maps (Hopper and later), and how many of their blocks stay on the
// device.
#pragma once
#include "gemm-kernels.h"
#include "gpu/gemm/gemm-problem.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/gpu-context.h"

namespace gpumark {

/** False on drivers before CUDA 12.0, which cannot make tensor maps. */
bool makes_tensor_maps(const GpuContext& gpu);

/**
 * Maps of A and B, and the rest. A block copies tile_m rows of A at a time, and of B its part of tile_n rows if
 * `cluster` blocks share it. What it returns is good as long as the operands are where they are.
 * @throws GpuError if the driver refuses a map: an address that is not a multiple of 16, say
 */
device::TensorMapGemmArgs tensor_map_args(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape,
                                          const GemmOperands& operands);

/** The grid: one block per multiprocessor, in whole clusters, or less if the product has fewer tiles. */
unsigned tensor_map_blocks(const GpuContext& gpu, const OwnKernel& kernel, const GemmShape& shape);

}  // namespace gpumark
