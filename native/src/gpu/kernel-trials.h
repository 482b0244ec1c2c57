// First trials of our matrix kernels in a process of their own, where the vendor's runtime ends the process in which a
// kernel faults: a kernel that ends it is refused, and the run goes on without it.
#pragma once
#include <optional>

#include "gpu/gemm/gemm-problem.h"

namespace gpumark {

struct GpuRun;

/**
 * Before a kernel for this type is tried, or one of matrix_issue: all of the run's benchmarks are tried at once, since
 * a process takes seconds to start. Kernels that ended their process, or were never tried because of others, are
 * refused from then on; all others still have their trial in this process. Does nothing for a driver that reports
 * faults as errors.
 */
void try_kernels_apart(GpuRun& run, std::optional<GemmType> type);

/** Runs the trial of every kernel of ours that this device has and that is not refused. @throws GpuError */
void try_all_kernels(GpuRun& run);

}  // namespace gpumark
