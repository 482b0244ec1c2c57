// The size at which a product is measured: 8192 cubed if memory and time allow, else the largest power of two that
// does.
#pragma once
#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"

namespace gpumark {

constexpr unsigned kSmallestCube = 256;
constexpr GemmShape cube(unsigned n) { return {n, n, n}; }

/** The cube sizes that an engine supports: none, some, or every size that memory and time allow. */
enum class SupportedSizes { none, some, all };

/**
 * Chooses the size with the engine's first candidate of each size; makes `shape` larger, never smaller.
 * @param seconds for the whole measurement of the product
 * @throws GpuError
 */
SupportedSizes choose_cube(GpuRun& run, GemmEngine& engine, GemmType type, double seconds, GemmShape& shape);

}  // namespace gpumark
