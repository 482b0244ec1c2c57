// Reads a device's sensors on its own thread during a run, five times a second, and says them as telemetry.
#pragma once
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "measure/recorder.h"
#include "sensors/device-sensor.h"
#include "sensors/load-power.h"

namespace gpumark {

class SensorLog {
 public:
  SensorLog(std::unique_ptr<DeviceSensor> sensor, Recorder& recorder);
  ~SensorLog();

  /** Brackets work whose power is wanted. A load of the same name goes on where its last stretch ended. */
  void begin_load(const Load& load);
  /** What the load drew over all of its stretches. */
  LoadPower end_load();
  /** Clock as the sensors last saw it, in MHz. */
  std::optional<double> clock_mhz() { return latest().clock_mhz; }
  /** All that the sensors last saw, up to 200 ms ago. Waits for no sensor and for no reader of ours. */
  SensorReading latest();
  /** True while the device answers at least one of its sensors. */
  bool answer();
  /** Where the counter's energy of a load comes from. */
  std::string energy_source() const { return sensor_->energy_source(); }
  /** Reports power, energy and temperature, or why each is missing. */
  void report(Recorder& recorder);

 private:
  void watch();
  /** Reads and keeps; the caller holds reading_. */
  SensorReading read_once();
  const LoadPower* figure_load() const;
  Result power_result(Absence absence) const;
  Result energy_result(Absence absence) const;
  Result temperature_result() const;

  Recorder& recorder_;
  /**
   * Held while the device is asked, which can take milliseconds; the sensor itself knows no threads. Taken before
   * state_.
   */
  std::mutex reading_;
  std::unique_ptr<DeviceSensor> sensor_;
  /** Held for what follows, and never across a call of a driver or a write. */
  std::mutex state_;
  std::condition_variable wake_;
  bool closing_ = false;
  SensorReading last_;
  double last_at_ = 0;
  EnergyRecord whole_;
  std::map<std::string, LoadPower> loads_;
  /** The load that is open, of loads_; the watcher adds to it. */
  LoadPower* open_ = nullptr;
  std::optional<double> hottest_celsius_;
  std::optional<double> hottest_memory_celsius_;
  std::optional<double> highest_watts_;
  std::optional<unsigned> throttle_;
  std::thread watcher_;
};

}  // namespace gpumark
