// The engines that a run asks for, and why another is left out.
#pragma once
#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"

namespace gpumark {

/** Our own kernels for this device. */
std::unique_ptr<GemmEngine> make_own_engine(GpuRun& run);

/** An engine, or in its place the sentence why it takes no part. */
struct EngineSlot {
  const char* name;
  std::unique_ptr<GemmEngine> engine;
  std::string left_out;
};
/** The vendor's first, then our own: the order in which they count. */
std::vector<EngineSlot> engines_of(GpuRun& run);

}  // namespace gpumark
