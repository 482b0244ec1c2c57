// Picks kernel, panel depth and size by short trials on this machine, which double as warm-up.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/gemm-proof.h"
#include "measure/stop.h"

namespace gpumark {

/**
 * Target time of one multiplication: long compared with barriers and timer, short enough for several in the quick tier.
 */
constexpr double kGemmSliceSeconds = 0.2;
/** Matrix size of a trial on two threads; more threads get a larger one, so that the work per thread stays the same. */
constexpr double kTrialSize = 960;
constexpr std::size_t kMinSize = 480;
constexpr std::size_t kMaxSize = 14000;

struct GemmChoice {
  const GemmKernel* kernel = nullptr;
  std::size_t depth = 0;
  double tflops = 0;
  /** Kernels that failed their check, {kernel, reason} each. */
  std::vector<JsonObject> refused;
};

/** Times every kernel that passes its check, at a few panel depths on a small problem; best of two each. */
template <class Types>
GemmChoice choose_kernel(CpuContext& cpu, const std::vector<const GemmKernel*>& kernels) {
  using Input = typename Types::Input;
  const auto trial_size = static_cast<std::size_t>(kTrialSize * std::cbrt(std::max(1.0, cpu.pool.size() / 2.0)));
  GemmChoice best;
  for (const GemmKernel* kernel : kernels) {
    if (stop_requested()) return best;
    const std::string wrong = why_kernel_is_wrong<Types>(cpu, *kernel, "");
    if (!wrong.empty()) {
      best.refused.push_back(JsonObject{}.text("kernel", kernel->name).text("reason", wrong));
      continue;
    }
    for (const std::size_t depth : {std::size_t{192}, std::size_t{256}, std::size_t{384}}) {
      if (stop_requested()) return best;
      // 16-bit elements: twice the depth for the same number of bytes.
      const std::size_t ks = sizeof(Input) == 2 ? 2 * depth : depth;
      GemmRun<Types> trial(cpu, plan_blocking(cpu.topology, cpu.pool.size(), *kernel,
                                              round_to_tile(*kernel, trial_size), ks, sizeof(Input)));
      if (!trial) return best;
      trial.slice();
      const double tflops = std::max(trial.slice(), trial.slice());
      if (tflops <= best.tflops) continue;
      best.kernel = kernel;
      best.depth = ks;
      best.tflops = tflops;
    }
  }
  return best;
}

/** The size whose product takes about one slice at the trial's rate, within the memory limit. */
template <class Types>
GemmBlocking choose_size(CpuContext& cpu, const GemmChoice& choice) {
  const double wanted = std::cbrt(choice.tflops * 1e12 * kGemmSliceSeconds / 2);
  auto n = static_cast<std::size_t>(std::clamp(wanted, double{kMinSize}, double{kMaxSize}));
  for (;; n = n * 9 / 10) {
    const std::size_t size = round_to_tile(*choice.kernel, n);
    const GemmBlocking g =
        plan_blocking(cpu.topology, cpu.pool.size(), *choice.kernel, size, choice.depth, sizeof(typename Types::Input));
    if (gemm_bytes<Types>(g) <= cpu.memory_limit() || n <= 100) return g;
  }
}

}  // namespace gpumark
