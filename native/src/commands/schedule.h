// The steps of a run. Every lane goes through all of them, so that the barrier before each is one for all.
#pragma once
#include <vector>

#include "backends/backend.h"

namespace gpumark {

struct Step {
  static constexpr int kAll = -1;

  const BenchmarkSpec* benchmark;
  /** Place of the lane whose turn it is. */
  int place = kAll;
  /** Without load, before the step. */
  double pause_seconds = 0;

  bool is_turn() const { return place != kAll; }
  bool is_of(int lane) const { return place == kAll || place == lane; }
};

/** Repetitions of the benchmarks on all devices, then turns, then the benchmarks that span the others. */
std::vector<Step> schedule_of(const RunOptions& options, int lanes);
/** How many of them run on this lane. */
int steps_of(const std::vector<Step>& steps, int lane);

}  // namespace gpumark
