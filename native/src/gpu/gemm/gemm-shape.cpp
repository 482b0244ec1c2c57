#include "gpu/gemm/gemm-shape.h"

#include <algorithm>

#include "gpu/gemm/gemm-timing.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr unsigned kLargestCube = 8192;
/**
 * Upper limits of one product's time, in seconds and as a share of all the time; a device that needs longer for 8192
 * gets a smaller size.
 */
constexpr double kMostSeconds = 0.2;
constexpr double kMostShare = 0.05;

}  // namespace

SupportedSizes choose_cube(GpuRun& run, GemmEngine& engine, GemmType type, double seconds, GemmShape& shape) {
  const std::size_t limit = run.memory_limit();
  SupportedSizes supported = SupportedSizes::none;
  for (unsigned n = kSmallestCube; n <= kLargestCube && gemm_set_bytes(type, cube(n)) <= limit && !stop_requested();
       n *= 2) {
    GemmCandidates candidates = engine.candidates(type, cube(n));
    if (candidates.empty()) return supported;
    const GemmData data(run, type, cube(n), GemmFill::random, 0);
    GemmTiming timing(run, *candidates.front(), data);
    timing.warm();
    shape.m = shape.n = shape.k = std::max(shape.n, n);
    supported = SupportedSizes::some;
    // Twice the size is eight times the work.
    if (8 * timing.seconds(1) > std::min(kMostSeconds, kMostShare * seconds)) return SupportedSizes::all;
  }
  return supported == SupportedSizes::none ? supported : SupportedSizes::all;
}

}  // namespace gpumark
