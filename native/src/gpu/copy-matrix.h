// GPU x GPU: copies from every device of a backend to every other.
#pragma once
#include "backends/backend.h"
#include "gpu/gpu-device.h"
#include "protocol/emitter.h"

namespace gpumark {

/** Says one cell per ordered pair. */
MatrixOutcome measure_copy_matrix(const GpuDriver& driver, const std::vector<GpuDevice>& devices,
                                  const RunOptions& options, Emitter& emitter);

}  // namespace gpumark
