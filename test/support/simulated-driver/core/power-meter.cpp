#include "core/power-meter.h"

#include <numeric>

namespace gpumark::sim {

void PowerMeter::work_begins() {
  const std::lock_guard lock(mutex_);
  advance(Clock::now());
  ++running_;
}

void PowerMeter::work_ends() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  advance(now);
  --running_;
  last_busy_ = now;
}

PowerMeter::Reading PowerMeter::read() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  advance(now);
  const double average = std::accumulate(windows_.begin(), windows_.end(), 0.0) / static_cast<double>(windows_.size());
  return {.instant_watts = windows_[(window_ + windows_.size() - 1) % windows_.size()],
          .average_watts = average,
          .joules = published_joules_,
          .busy = running_ > 0 || now - last_busy_ < std::chrono::milliseconds(500),
          .load = (average - kIdleWatts) / (busy_watts_ - kIdleWatts)};
}

void PowerMeter::advance(Clock::time_point now) {
  const double watts = running_ > 0 ? busy_watts_ : kIdleWatts;
  const auto integrate_to = [&](Clock::time_point until) {
    joules_ += watts * std::chrono::duration<double>(until - integrated_to_).count();
    integrated_to_ = until;
  };
  while (next_refresh_ <= now) {
    integrate_to(next_refresh_);
    windows_[window_] = (joules_ - published_joules_) / std::chrono::duration<double>(kRefresh).count();
    window_ = (window_ + 1) % windows_.size();
    published_joules_ = joules_;
    next_refresh_ += kRefresh;
  }
  integrate_to(now);
}

}  // namespace gpumark::sim
