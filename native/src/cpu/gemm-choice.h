// Picks kernel, panel depth and size by short trials on this machine, which double as warm-up.
#pragma once
#include <algorithm>
#include <cmath>

#include "cpu/gemm-plan.h"
#include "cpu/gemm-run.h"
#include "measure/stop.h"

namespace gpumark {

/** Length of one multiplication: long against barriers and timer, short enough for several in the quick tier. */
constexpr double kGemmSliceSeconds = 0.2;
constexpr std::size_t kTrialSize = 960;
constexpr std::size_t kMinSize = 480;
constexpr std::size_t kMaxSize = 14000;

struct GemmChoice {
  const GemmKernel* kernel = nullptr;
  std::size_t depth = 0;
  double tflops = 0;
};

/** Times every kernel of the set at a few panel depths on a small problem; best of two each. */
template <class T>
GemmChoice choose_kernel(CpuContext& cpu, const GemmKernel* kernels) {
  GemmChoice best;
  for (const GemmKernel* kernel = kernels; kernel->name; ++kernel) {
    for (const std::size_t depth : {std::size_t{192}, std::size_t{256}, std::size_t{384}}) {
      if (stop_requested()) return best;
      GemmRun<T> trial(cpu, plan_blocking(cpu.topology, cpu.pool.size(), *kernel, round_to_tile(*kernel, kTrialSize), depth, sizeof(T)));
      if (!trial) return best;
      trial.slice();
      const double tflops = std::max(trial.slice(), trial.slice());
      if (tflops > best.tflops) best = {kernel, depth, tflops};
    }
  }
  return best;
}

/** A size that takes about a slice at the trial's rate, within the memory limit. */
template <class T>
GemmBlocking choose_size(CpuContext& cpu, const GemmChoice& choice) {
  const double wanted = std::cbrt(choice.tflops * 1e12 * kGemmSliceSeconds / 2);
  auto n = static_cast<std::size_t>(std::clamp(wanted, double{kMinSize}, double{kMaxSize}));
  for (;; n = n * 9 / 10) {
    const GemmBlocking g = plan_blocking(cpu.topology, cpu.pool.size(), *choice.kernel, round_to_tile(*choice.kernel, n), choice.depth, sizeof(T));
    if (gemm_bytes(g, sizeof(T)) <= cpu.memory_limit() || n <= 100) return g;
  }
}

}  // namespace gpumark
