// Energy of a stretch of time, by the device's counter and by integrating its power, and which of the two may be believed.
#pragma once
#include <optional>

#include "sensors/device-sensor.h"

namespace gpumark {

class EnergyRecord {
 public:
  /** Readings in the order of time; `at` in seconds on the monotonic clock. */
  void add(const SensorReading& reading, double at);
  /** What joules() stands on: from the first to the last reading of the counter, or of the power. */
  double seconds() const;
  std::optional<double> counter_joules() const;
  /** Trapezoids between the power readings; nothing with fewer than two. */
  std::optional<double> integrated_joules() const;
  /** Counter over integral. */
  std::optional<double> ratio() const;
  /**
   * Within 10 % of the integral, where there is one: counters have been seen stuck, running backwards and counting another
   * device (ROCm's issue tracker). A stretch too short for the counter's refresh (up to 100 ms) cannot be judged and is not believed.
   */
  bool counter_trusted() const;
  /** The counter's where it is trusted, else the integral. */
  std::optional<double> joules() const;

 private:
  double counter_seconds() const { return last_joules_at_ - first_joules_at_; }
  std::optional<double> first_joules_, last_joules_;
  double first_joules_at_ = 0, last_joules_at_ = 0;
  bool broken_ = false;
  std::optional<double> last_watts_;
  double first_watts_at_ = 0, last_watts_at_ = 0;
  double integral_ = 0;
  int power_readings_ = 0;
};

}  // namespace gpumark
