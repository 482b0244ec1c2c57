#include "commands/schedule.h"

#include <algorithm>
#include <iterator>

namespace gpumark {
namespace {

/** About as long as `repeat` loads a device in the quick tier: the power swings once in four seconds. */
constexpr double kPauseSeconds = 2;

/** The benchmark with the time of its turns in every tier; one that the registry has no turns for keeps its own. */
const BenchmarkSpec* in_turn(const std::string& id) {
  static const std::vector<BenchmarkSpec> all = [] {
    std::vector<BenchmarkSpec> turns(std::begin(kBenchmarks), std::end(kBenchmarks));
    for (BenchmarkSpec& spec : turns) {
      if (const double seconds = spec.turn_seconds; seconds > 0) spec.tier_seconds = {seconds, seconds, seconds};
    }
    return turns;
  }();
  return &all[static_cast<std::size_t>(find_benchmark(id) - kBenchmarks)];
}

}  // namespace

std::vector<Step> schedule_of(const RunOptions& options, int lanes) {
  std::vector<Step> steps;
  for (int swing = 0; swing < options.swings; ++swing) {
    double pause = swing > 0 ? kPauseSeconds * options.time_scale : 0;
    for (const std::string& id : options.benchmarks) {
      const BenchmarkSpec* spec = find_benchmark(id);
      if (spec->spans) continue;
      steps.push_back({spec, Step::kAll, pause});
      pause = 0;
    }
  }
  for (const std::string& id : options.turns) {
    const BenchmarkSpec* spec = in_turn(id);
    for (int lane = 0; lane < lanes && !spec->spans; ++lane) steps.push_back({spec, lane, 0});
  }
  for (const std::string& id : options.benchmarks) {
    const BenchmarkSpec* spec = find_benchmark(id);
    if (spec->spans) steps.push_back({spec, Step::kAll, 0});
  }
  return steps;
}

int steps_of(const std::vector<Step>& steps, int lane) {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [&](const Step& step) { return step.is_of(lane); }));
}

}  // namespace gpumark
