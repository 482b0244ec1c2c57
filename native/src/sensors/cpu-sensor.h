// The CPU's sensors, behind the same interface as a GPU's.
#pragma once
#include "sensors/device-sensor.h"
#include "sensors/rapl.h"
#include "sensors/thermometer.h"

namespace gpumark {

class CpuSensor : public DeviceSensor {
 public:
  explicit CpuSensor(const std::string& sysfs_root) : rapl_(sysfs_root), thermometer_(sysfs_root) {}
  SensorReading read() override {
    SensorReading reading;
    reading.joules = rapl_.joules();
    reading.celsius = thermometer_.celsius();
    return reading;
  }
  std::string energy_problem() const override { return rapl_.problem(); }
  std::string temperature_problem() const override { return thermometer_.problem(); }
  bool energy_lost() const override { return rapl_.lost(); }
  std::string energy_source() const override { return "RAPL packages"; }
  std::string scope() const override { return "processor packages: " + std::to_string(rapl_.packages()); }
  std::string temperature_source() const override { return "hottest processor sensor over the run"; }

 private:
  RaplMeter rapl_;
  Thermometer thermometer_;
};

}  // namespace gpumark
