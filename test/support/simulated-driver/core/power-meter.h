// Power that follows the load, and the energy counter that integrates it. Like on real cards, both are refreshed ten
// times per second; the sum of the published powers times 0.1 s is the published energy.
#pragma once
#include <array>
#include <chrono>
#include <mutex>

namespace gpumark::sim {

class PowerMeter {
 public:
  using Clock = std::chrono::steady_clock;

  void set_busy_watts(double watts) { busy_watts_ = watts; }
  /** One more, or one fewer, operation runs on the device. */
  void work_begins();
  void work_ends();

  struct Reading {
    /** Mean of the last full 100 ms, mean of the last full second, and joules at the end of the last 100 ms. */
    double instant_watts, average_watts, joules;
    /** Whether the device worked within the last half second. */
    bool busy;
    /** The share of the last second in which the device worked. */
    double load;
  };
  Reading read();

  static constexpr double kIdleWatts = 70;
  static constexpr double kBusyWatts = 400;
  static constexpr Clock::duration kRefresh = std::chrono::milliseconds(100);

 private:
  void advance(Clock::time_point now);

  std::mutex mutex_;
  double busy_watts_ = kBusyWatts;
  int running_ = 0;
  Clock::time_point integrated_to_ = Clock::now();
  Clock::time_point next_refresh_ = integrated_to_ + kRefresh;
  Clock::time_point last_busy_ = integrated_to_ - std::chrono::seconds(10);
  // Like on real cards, the counter does not start at zero.
  double joules_ = 123456;
  double published_joules_ = joules_;
  std::array<double, 10> windows_ = {70, 70, 70, 70, 70, 70, 70, 70, 70, 70};
  std::size_t window_ = 0;
};

}  // namespace gpumark::sim
