// Energy of stretches of time, by the device's counter and by integrating its power, and whether the two agree.
#pragma once
#include <optional>

#include "sensors/device-sensor.h"

namespace gpumark {

class EnergyRecord {
 public:
  /** Readings in the order of time; `at` in seconds on the monotonic clock. */
  void add(const SensorReading& reading, double at);
  /** Ends a stretch: what passes until the next reading does not count. */
  void pause() { take_stretch(); }
  /** Forgets the readings since the last pause. */
  void discard() { now_ = Stretch(); }
  /** What joules() stands on: between first and last reading of the counter, or of the power. */
  double seconds() const { return counted() ? counter().seconds : integral().seconds; }
  std::optional<double> counter_joules() const;
  /** Trapezoids between the power readings; nothing with fewer than two. */
  std::optional<double> integrated_joules() const;
  /** Counter over integral. */
  std::optional<double> ratio() const;
  /**
   * Within 10 % of the integral, if there is one: counters have been seen stuck, running backwards and counting
   * another device (ROCm's issue tracker). A record too short for the counter's refresh (up to 100 ms) cannot be
   * judged.
   */
  bool counter_agrees() const;
  /**
   * The counter's if it counted anything, else the integral. That the two disagree takes nothing away from it: it is
   * said beside it.
   */
  std::optional<double> joules() const { return counted() ? counter_joules() : integrated_joules(); }
  /**
   * Whether a mean power is the counter's: if it counted anything for two seconds, or nothing else is known. Over
   * less its steps are coarser than the readings of power. That the two disagree is not a reason: it is said beside the
   * figure.
   */
  bool mean_by_counter() const;
  std::optional<double> mean_watts() const { return mean(mean_by_counter() ? counter() : integral()); }
  double mean_seconds() const { return mean_by_counter() ? counter().seconds : integral().seconds; }
  /** By the readings of power alone. */
  std::optional<double> integrated_watts() const { return mean(integral()); }
  /** Of a counter with power beside it and two seconds to compare them over; null if there is nothing to judge. */
  std::optional<bool> judged() const;

 private:
  struct Amount {
    double joules = 0, seconds = 0;
    bool any = false;
    void add(double more_joules, double more_seconds) {
      joules += more_joules;
      seconds += more_seconds;
      any = true;
    }
  };
  struct Stretch {
    std::optional<double> first_joules, last_joules;
    double first_joules_at = 0, last_joules_at = 0;
    /** A counter that ran backwards has no difference any more. */
    bool broken = false;
    /**
     * It did not answer when last asked: what it counted since then is not known. A gap before an answer costs nothing.
     */
    bool silent = false;
    std::optional<double> last_watts;
    double first_watts_at = 0, last_watts_at = 0;
    double integral = 0;
    int power_readings = 0;
  };
  static std::optional<double> mean(const Amount& amount) {
    return amount.any && amount.seconds > 0 ? std::optional<double>(amount.joules / amount.seconds) : std::nullopt;
  }
  void take_stretch();
  bool counted() const { return counter().any && counter().joules > 0; }
  Amount counter() const;
  Amount integral() const;

  Amount counter_before_, integral_before_;
  Stretch now_;
};

}  // namespace gpumark
