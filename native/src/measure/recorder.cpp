#include "measure/recorder.h"

#include <cmath>

#include "measure/progress.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {

void Recorder::announce(const std::string& image) {
  if (!unsaid_) return;
  if (!image.empty()) unsaid_->image = image;
  emitter_.device(*unsaid_);
  unsaid_.reset();
}

void Recorder::begin(const BenchmarkSpec& benchmark) {
  benchmark_ = &benchmark;
  answered_.clear();
  series_share_.reset();
}

void Recorder::sample(const std::string& metric, double value, const Conditions* conditions) {
  // A soak produces tens of thousands: the first 200 are emitted, then every 50th. The statistics use all of them.
  const int index = sample_counts_[metric]++;
  if (index < 200 || index % 50 == 0) emitter_.sample(device_id_, benchmark_->id, metric, value, index, conditions);
}

void Recorder::result(Result r) {
  if (!answered_.insert(r.metric).second) return;
  r.benchmark = benchmark_->id;
  if (r.value && !(std::isfinite(*r.value) && *r.value > 0)) {
    r.value.reset();
    r.reason = "the measurement gave no usable number";
    r.absence = Absence::failed;
  }
  if (r.value) {
    // If the threads had their cores only part of the time (thread CPU time over elapsed time), the figure is too low,
    // however small its spread. Trials, warm-up and verification do not count; slices timed alternately with the
    // samples do: the clock's beside FMA, and both store kinds of the triad. fp32_tflops and fp32_cuda_core_tflops
    // share one series; kernel_launch_overhead_us has no timed work and no share.
    if (series_share_ && *series_share_ > 0) {
      r.details.number("core_share", *series_share_);
      raise_contention(1 / *series_share_);
    }
    if (at_work_ > 0) r.details.integer("cards_at_work", at_work_);
    published_[r.metric] = *r.value;
    any_value_ = true;
  }
  emitter_.result(device_id_, r);
}

void Recorder::raise_contention(double ratio) {
  if (!contention_ratio_ || ratio > *contention_ratio_) contention_ratio_ = ratio;
}

void Recorder::missing(const std::string& metric, const std::string& reason, Absence absence) {
  Result r;
  r.metric = metric;
  r.reason = reason;
  r.absence = absence;
  result(std::move(r));
}

void Recorder::wrong(const std::string& metric, const std::string& what, const JsonObject& details) {
  any_wrong_ = true;
  Result r;
  r.metric = metric;
  r.reason = "the result was wrong: " + what;
  r.verified = false;
  r.details = details;
  result(std::move(r));
  emitter_.failure(device_id_, {"verification_failed", std::string(benchmark_->id) + ": " + what,
                                "Run the self-test; if it fails too, suspect memory or the processor, and do not trust "
                                "this machine's results."});
}

void Recorder::fail(const Failure& failure) {
  any_failed_ = true;
  emitter_.failure(device_id_, failure);
}

void Recorder::finish(const std::string& reason, Absence absence) {
  for (const Metric& metric : benchmark_->metrics) {
    if (!answered_.count(metric.name)) missing(metric.name, reason, absence);
  }
}

std::vector<double> Recorder::series(double seconds, int min_samples, int max_samples,
                                     const std::function<double()>& measure) {
  // Discard the share of what was timed before: trials, warm-up or another series.
  take_share();
  std::vector<double> samples = collect(seconds, min_samples, max_samples, measure);
  series_share_ = take_share();
  return samples;
}

void Recorder::note_rates(const std::vector<double>& rates) {
  if (rates.size() < 3) return;
  double best = 0;
  double time_sum = 0;
  for (const double rate : rates) {
    if (rate > best) best = rate;
    time_sum += 1 / rate;
  }
  raise_contention(best * time_sum / static_cast<double>(rates.size()));
}

std::optional<double> Recorder::published(const std::string& metric) const {
  const auto found = published_.find(metric);
  return found == published_.end() ? std::nullopt : std::optional<double>(found->second);
}

std::vector<double> collect(double seconds, int min_samples, int max_samples, const std::function<double()>& measure) {
  std::vector<double> samples;
  const double until = now_seconds() + seconds;
  while (!stop_requested() && static_cast<int>(samples.size()) < max_samples) {
    if (static_cast<int>(samples.size()) >= min_samples && now_seconds() >= until) break;
    samples.push_back(measure());
    note_progress();
  }
  return samples;
}

}  // namespace gpumark
