// Reads energy and temperature on its own thread during a run, five times a second, and says them as telemetry.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "measure/recorder.h"
#include "sensors/rapl.h"
#include "sensors/thermometer.h"

namespace gpumark {

class SensorLog {
 public:
  SensorLog(const std::string& sysfs_root, Recorder& recorder);
  ~SensorLog();

  /** Brackets a GEMM, the load whose mean power is published. */
  void begin_load();
  void end_load();
  /** Reports power, energy and temperature, or why each is missing. */
  void report(Recorder& recorder);

 private:
  void watch();
  void read_once();

  Recorder& recorder_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  RaplMeter rapl_;
  Thermometer thermometer_;
  double started_at_;
  std::optional<double> joules_;
  std::optional<double> hottest_celsius_;
  double read_at_ = 0;
  double load_started_at_ = 0;
  std::optional<double> load_start_joules_;
  double load_seconds_ = 0;
  double load_joules_ = 0;
  std::thread watcher_;
};

}  // namespace gpumark
