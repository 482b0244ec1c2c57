#include "gpu/gemm/gemm-timing.h"

#include <algorithm>

#include "gpu/grid-choice.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Long against the events' half microsecond. */
constexpr double kTrialSeconds = 1e-3;
constexpr std::size_t kFinalists = 3;
constexpr int kFinalRounds = 5;

bool faster(const Trial& one, const Trial& other) { return one.tflops > other.tflops; }

}  // namespace

double GemmTiming::seconds(int products) {
  return run_.gpu.timed([&] {
    for (int i = 0; i < products; ++i) way_.enqueue(data_.operands(next_++));
  }) / products;
}

/** A library may load a kernel at its first call, and that would wait for the one that holds the stream. */
void GemmTiming::warm() {
  way_.enqueue(data_.operands(next_++));
  run_.gpu.wait();
}

void GemmTiming::calibrate(double wanted) {
  warm();
  products_ = launches_for(wanted, seconds(1));
}

std::vector<Trial> try_ways(GpuRun& run, GemmWays ways, const GemmData& data, double budget_seconds, int& tried) {
  std::vector<Trial> trials;
  const double until = now_seconds() + budget_seconds;
  tried = 0;
  for (auto& way : ways) {
    if (stop_requested() || (!trials.empty() && now_seconds() > until)) break;
    try {
      GemmTiming timing(run, *way, data);
      timing.calibrate(kTrialSeconds);
      const double tflops = std::max({timing.sample(), timing.sample(), timing.sample()});
      trials.push_back({std::move(way), tflops});
      ++tried;
    } catch (const GpuError&) {
      // A library may offer what it then refuses; a context that broke is another matter.
      if (!run.gpu.answers()) throw;
    }
  }
  std::sort(trials.begin(), trials.end(), faster);
  const std::size_t finalists = std::min(kFinalists, trials.size());
  if (finalists < 2) return trials;
  for (std::size_t i = 0; i < finalists; ++i) trials[i].tflops = 0;
  // In turn, so that a clock that falls meanwhile is fair to all.
  for (int round = 0; round < kFinalRounds && !stop_requested(); ++round) {
    for (std::size_t i = 0; i < finalists; ++i) {
      GemmTiming timing(run, *trials[i].way, data);
      timing.calibrate(kTrialSeconds);
      trials[i].tflops = std::max(trials[i].tflops, timing.sample());
    }
  }
  std::sort(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(finalists), faster);
  return trials;
}

}  // namespace gpumark
