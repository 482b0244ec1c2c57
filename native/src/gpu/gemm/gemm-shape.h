// The size at which a product is measured: 8192 cubed if memory and time allow, else the largest power of two that
// does.
#pragma once
#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"

namespace gpumark {

constexpr unsigned kSmallestCube = 256;
constexpr GemmShape cube(unsigned n) { return {n, n, n}; }

/** How far an engine's ways reach: to none, to some sizes, to every size that memory and time allow. */
enum class Reach { none, part, all };

/**
 * By the engine's first way of each size; makes `shape` larger, never smaller.
 * @param seconds for all that is to be measured of the product
 * @throws GpuError
 */
Reach choose_cube(GpuRun& run, GemmEngine& engine, GemmType type, double seconds, GemmShape& shape);

}  // namespace gpumark
