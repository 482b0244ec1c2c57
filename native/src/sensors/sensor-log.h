// Reads a device's sensors on a separate thread during a run, five times a second, and emits telemetry.
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
#include "sensors/highest-reading.h"
#include "sensors/load-power.h"

namespace gpumark {

class SensorLog {
 public:
  SensorLog(std::unique_ptr<DeviceSensor> sensor, Recorder& recorder);
  ~SensorLog();

  /** Begins an interval whose power is recorded. Intervals with the same load name are combined. */
  void begin_load(const Load& load);
  /** Ends the interval; returns the load's power over all of its intervals. */
  LoadPower end_load();
  /** Clock at the last reading, in MHz. */
  std::optional<double> clock_mhz() { return latest().clock_mhz; }
  /** The last reading, up to 200 ms old. Never waits for a sensor or for the reader of stdout. */
  SensorReading latest();
  /** True while at least one of the device's sensors responds. */
  bool answer();
  /** Name of the energy counter's source. */
  std::string energy_source() const { return sensor_->energy_source(); }
  /** Reports power, energy and temperature, or why each is missing. */
  void report(Recorder& recorder);

 private:
  void watch();
  /** Reads the sensors and stores the values; the caller holds reading_. */
  SensorReading read_once();
  const LoadPower* figure_load() const;
  Result power_result(Absence absence) const;
  Result energy_result(Absence absence) const;
  Result temperature_result() const;

  Recorder& recorder_;
  /**
   * Held while the sensor is read, which can take milliseconds; the sensor itself is not thread-safe. Locked before
   * state_.
   */
  std::mutex reading_;
  std::unique_ptr<DeviceSensor> sensor_;
  /** Protects the members below; never held across a driver call or a write. */
  std::mutex state_;
  std::condition_variable wake_;
  bool closing_ = false;
  SensorReading last_;
  double last_at_ = 0;
  EnergyRecord whole_;
  std::map<std::string, LoadPower> loads_;
  /** The current load, in loads_; the sensor thread adds to it. */
  LoadPower* open_ = nullptr;
  HighestReading hottest_{kNearCelsius}, hottest_memory_{kNearCelsius}, highest_watts_{kNearWatts};
  std::optional<unsigned> throttle_;
  std::thread watcher_;
};

}  // namespace gpumark
