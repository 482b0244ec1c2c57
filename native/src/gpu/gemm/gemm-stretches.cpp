#include "gpu/gemm/gemm-stretches.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace gpumark {
namespace {

/** Two wait while one runs: 10 ms, longer than a sensor takes to answer. */
constexpr std::size_t kEnqueued = 3;
constexpr double kBlockSeconds = 0.1;
/** Fewer blocks say less than the stretches themselves. */
constexpr std::size_t kLeastBlocks = 3;

/** Rate of stretches of equal work over their whole time: their harmonic mean. */
double rate_over(const std::vector<double>& rates, std::size_t begin, std::size_t end) {
  double inverse = 0;
  for (std::size_t i = begin; i < end; ++i) inverse += 1 / rates[i];
  return static_cast<double>(end - begin) / inverse;
}

}  // namespace

GemmStretches::GemmStretches(GpuRun& run, GemmCandidate& candidate, const GemmData& data, double rest_seconds)
    : gpu_(run.gpu), timing_(run, candidate, data) {
  timing_.calibrate(kGemmSampleSeconds);
  products_ = timing_.products();
  operations_ = data.shape().operations() * products_;
  for (std::size_t i = 0; i <= kEnqueued; ++i) ends_.push_back(std::make_unique<GpuEvent>(gpu_));
  if (rest_seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(rest_seconds));
  std::optional<SpinGate> gate;
  if (gpu_.held()) gate.emplace(gpu_, gpu_.stream());
  gpu_.check(gpu_.call().event_record(ends_.front()->handle(), gpu_.stream()), "recording an event");
  for (std::size_t i = 1; i <= kEnqueued; ++i) {
    timing_.enqueue();
    gpu_.check(gpu_.call().event_record(ends_[i]->handle(), gpu_.stream()), "recording an event");
  }
}

GemmStretches::~GemmStretches() { gpu_.call().stream_wait(gpu_.stream()); }

double GemmStretches::next() {
  gpu_.check(gpu_.call().event_wait(ends_[1]->handle()), "waiting for the device");
  float milliseconds = 0;
  gpu_.check(gpu_.call().event_elapsed(&milliseconds, ends_[0]->handle(), ends_[1]->handle()), "reading the time");
  if (gpu_.call().event_query(ends_.back()->handle()) == 0) ++gaps_;
  enqueue();
  return operations_ / (static_cast<double>(milliseconds) * 1e-3) * 1e-12;
}

/** The event that began the stretch that was read ends the one that is enqueued. */
void GemmStretches::enqueue() {
  timing_.enqueue();
  gpu_.check(gpu_.call().event_record(ends_.front()->handle(), gpu_.stream()), "recording an event");
  std::rotate(ends_.begin(), ends_.begin() + 1, ends_.end());
}

std::optional<GemmFigure> GemmStretches::figure(const std::vector<double>& rates) const {
  if (rates.size() < 3) return std::nullopt;
  GemmFigure figure;
  figure.tflops = rate_over(rates, 0, rates.size());
  figure.stretches = summarize(rates);
  figure.products = products_ * static_cast<double>(rates.size());
  figure.seconds = operations_ * static_cast<double>(rates.size()) / (figure.tflops * 1e12);
  std::vector<double> blocks;
  double seconds = 0;
  for (std::size_t begin = 0, i = 0; i < rates.size(); ++i) {
    seconds += operations_ / (rates[i] * 1e12);
    if (seconds < kBlockSeconds) continue;
    blocks.push_back(rate_over(rates, begin, i + 1));
    begin = i + 1;
    seconds = 0;
  }
  if (blocks.size() >= kLeastBlocks) figure.stretches.cv = summarize(blocks).cv;
  return figure;
}

}  // namespace gpumark
