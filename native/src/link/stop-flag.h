// Tells the threads of one slot to stop, and lets them sleep until a given time or the stop.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "link/monotonic.h"

namespace gpumark::link {

class StopFlag {
 public:
  void stop() {
    const std::lock_guard<std::mutex> hold(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  bool stopped() const { return stopped_; }
  /** Sleeps until then; false if stopped. */
  bool sleep_until(Ns until) {
    std::unique_lock<std::mutex> hold(mutex_);
    // libstdc++'s steady clock is CLOCK_MONOTONIC.
    const std::chrono::steady_clock::time_point then{std::chrono::nanoseconds(until)};
    return !changed_.wait_until(hold, then, [this] { return stopped_.load(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gpumark::link
