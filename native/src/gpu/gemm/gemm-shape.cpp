#include "gpu/gemm/gemm-shape.h"

#include <algorithm>

#include "gpu/gemm/gemm-timing.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr unsigned kLargestCube = 8192;
/**
 * One product takes no longer than this, nor than this part of all the time; a device that needs longer for 8192 gets a
 * smaller one.
 */
constexpr double kMostSeconds = 0.2;
constexpr double kMostShare = 0.05;

}  // namespace

Reach choose_cube(GpuRun& run, GemmEngine& engine, GemmType type, double seconds, GemmShape& shape) {
  const std::size_t limit = run.memory_limit();
  Reach reach = Reach::none;
  for (unsigned n = kSmallestCube; n <= kLargestCube && gemm_set_bytes(type, cube(n)) <= limit && !stop_requested();
       n *= 2) {
    GemmWays ways = engine.ways(type, cube(n));
    if (ways.empty()) return reach;
    const GemmData data(run, type, cube(n), GemmFill::random, 0);
    GemmTiming timing(run, *ways.front(), data);
    timing.warm();
    shape.m = shape.n = shape.k = std::max(shape.n, n);
    reach = Reach::part;
    // Twice the size is eight times the work.
    if (8 * timing.seconds(1) > std::min(kMostSeconds, kMostShare * seconds)) return Reach::all;
  }
  return reach == Reach::none ? reach : Reach::all;
}

}  // namespace gpumark
