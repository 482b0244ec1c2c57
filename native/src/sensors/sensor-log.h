// Reads a device's sensors on its own thread during a run, five times a second, and says them as telemetry.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "measure/recorder.h"
#include "sensors/device-sensor.h"
#include "sensors/energy-record.h"

namespace gpumark {

class SensorLog {
 public:
  SensorLog(std::unique_ptr<DeviceSensor> sensor, Recorder& recorder);
  ~SensorLog();

  /** Brackets the load whose mean power is published, and names it ("matrix multiplications"). */
  void begin_load(const std::string& name);
  void end_load();
  /** Clock as the sensors last saw it, in MHz. */
  std::optional<double> clock_mhz();
  /** All that the sensors last saw, up to 200 ms ago. */
  SensorReading latest();
  /** True while the device answers at least one of its sensors. */
  bool answer();
  /** Reports power, energy and temperature, or why each is missing. */
  void report(Recorder& recorder);

 private:
  void watch();
  void read_once();
  Result power_result(Absence absence) const;
  Result energy_result(Absence absence) const;
  Result temperature_result() const;

  Recorder& recorder_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  std::unique_ptr<DeviceSensor> sensor_;
  SensorReading reading_;
  double read_at_ = 0;
  EnergyRecord whole_;
  /** Of all stretches of the load that is named; the watcher adds to it while one is open. */
  EnergyRecord load_;
  bool load_open_ = false;
  std::string load_name_;
  std::optional<double> hottest_celsius_;
  std::optional<double> hottest_memory_celsius_;
  std::optional<double> highest_watts_;
  std::optional<unsigned> throttle_;
  std::thread watcher_;
};

}  // namespace gpumark
