// Energy over intervals, by the device's counter and by integrating its power, and whether the two agree.
#pragma once
#include <optional>

#include "sensors/device-sensor.h"

namespace gpumark {

class EnergyRecord {
 public:
  /** Adds a reading, in order of time; `at` in seconds on the monotonic clock. */
  void add(const SensorReading& reading, double at);
  /** Ends an interval: time until the next reading does not count. */
  void pause() { take_stretch(); }
  /** Forgets the readings since the last pause. */
  void discard() { now_ = Stretch(); }
  /** Duration behind joules(): from first to last reading of the counter, or of the power. */
  double seconds() const { return counted() ? counter().seconds : integral().seconds; }
  std::optional<double> counter_joules() const;
  /** Trapezoidal integral of the power readings; nullopt with fewer than two. */
  std::optional<double> integrated_joules() const;
  /** Counter over integral. */
  std::optional<double> ratio() const;
  /**
   * Within 10 % of the integral, if there is one: counters have been reported stuck, running backwards and counting
   * another device (ROCm's issue tracker). A record too short for the counter's refresh interval (up to 100 ms) cannot
   * be judged.
   */
  bool counter_agrees() const;
  /**
   * The counter's energy if it counted anything, else the integral. A disagreement does not change the figure: it is
   * reported beside it.
   */
  std::optional<double> joules() const { return counted() ? counter_joules() : integrated_joules(); }
  /**
   * Whether a mean power is taken from the counter: if it counted for a second, or there is no other source. Over a
   * shorter time its steps (20 to 100 ms) are coarser than the power readings. A disagreement does not matter: it is
   * reported beside the figure.
   */
  bool mean_by_counter() const;
  std::optional<double> mean_watts() const { return mean(mean_by_counter() ? counter() : integral()); }
  double mean_seconds() const { return mean_by_counter() ? counter().seconds : integral().seconds; }
  /** From the power readings alone. */
  std::optional<double> integrated_watts() const { return mean(integral()); }
  /** counter_agrees() if there are both sources over at least two seconds; nullopt otherwise. */
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
    /** The counter ran backwards: its difference is invalid. */
    bool broken = false;
    /**
     * The last reading failed, so the energy since then is unknown. A gap followed by a successful reading loses
     * nothing.
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
