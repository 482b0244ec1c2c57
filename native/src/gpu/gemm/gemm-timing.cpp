#include "gpu/gemm/gemm-timing.h"

#include <algorithm>

#include "gpu/grid-choice.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Long compared with the events' resolution of half a microsecond. */
constexpr double kTrialSeconds = 1e-3;
/**
 * At least this many candidates are tried, whatever the time: a library's first proposal can be half as fast as a later
 * one.
 */
constexpr int kMinTrials = 16;
constexpr std::size_t kFinalists = 3;
/** A candidate that is slower than the fastest by more than this in the first pass is left out of the second. */
constexpr double kFinalMargin = 0.05;
constexpr int kFinalRounds = 3;

bool faster(const Trial& one, const Trial& other) { return one.tflops > other.tflops; }

}  // namespace

double GemmTiming::seconds(int products) {
  return run_.gpu.timed([&] { enqueue(products); }) / products;
}

void GemmTiming::enqueue(int products) {
  for (int i = 0; i < products; ++i) candidate_.enqueue(data_.operands(next_++));
}

/** A library may load a kernel at its first call, which would deadlock behind the kernel that holds the stream. */
void GemmTiming::warm() {
  candidate_.enqueue(data_.operands(next_++));
  run_.gpu.wait();
}

double GemmTiming::calibrate(double wanted) {
  warm();
  const double one = seconds(1);
  products_ = launches_for(wanted, one);
  return one;
}

namespace {

/** TFLOP/s of a short trial: one product if it is long enough, else the best of three samples. */
double glance(GemmTiming& timing, const GemmData& data) {
  const double one = timing.calibrate(kTrialSeconds);
  return one >= kTrialSeconds ? data.shape().operations() / one * 1e-12
                              : std::max({timing.sample(), timing.sample(), timing.sample()});
}

/** Finalists take turns, so that a falling clock affects all alike. */
void compare(GpuRun& run, std::vector<Trial>& trials, std::size_t finalists, const GemmData& data) {
  std::vector<GemmTiming> timings;
  for (std::size_t i = 0; i < finalists; ++i) {
    timings.emplace_back(run, *trials[i].candidate, data);
    timings.back().calibrate(kTrialSeconds);
    trials[i].tflops = 0;
  }
  for (int round = 0; round < kFinalRounds; ++round) {
    for (std::size_t i = 0; i < finalists; ++i) trials[i].tflops = std::max(trials[i].tflops, timings[i].sample());
  }
  std::sort(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(finalists), faster);
}

}  // namespace

std::vector<Trial> try_candidates(GpuRun& run, GemmCandidates candidates, const GemmData& data, double budget_seconds,
                                  int& tried) {
  std::vector<Trial> trials;
  const double until = now_seconds() + budget_seconds;
  tried = 0;
  for (auto& candidate : candidates) {
    if (stop_requested() || (tried >= kMinTrials && now_seconds() > until)) break;
    try {
      GemmTiming timing(run, *candidate, data);
      const double tflops = glance(timing, data);
      trials.push_back({std::move(candidate), tflops});
      ++tried;
    } catch (const GpuError&) {
      // A library may refuse an algorithm that it proposed; a broken context is an error.
      if (!run.gpu.answers()) throw;
    }
  }
  std::sort(trials.begin(), trials.end(), faster);
  std::size_t finalists = 0;
  while (finalists < std::min(kFinalists, trials.size()) &&
         trials[finalists].tflops >= (1 - kFinalMargin) * trials[0].tflops)
    ++finalists;
  if (finalists > 1 && !stop_requested()) compare(run, trials, finalists, data);
  return trials;
}

}  // namespace gpumark
