// Interface of every source of power, energy, temperature and clock: RAPL, NVML, ROCm SMI, sysfs.
#pragma once
#include <optional>
#include <string>

#include "protocol/json-object.h"
#include "protocol/events.h"

namespace gpumark {

/**
 * Beyond these a value is none: drivers report failures as huge values (2^32 - 1 mW, 255 degrees). The largest modules
 * of 2026 draw 2.8 kW (GB300: two dies and their host); no device works in colder air than -40 degrees, and each shuts
 * down below 125.
 */
constexpr double kMaxWatts = 10e3;
constexpr double kMinCelsius = -40, kMaxCelsius = 130;
constexpr double kMaxClockMhz = 20e3;

/** The value if it is between the two, else nothing. */
inline std::optional<double> within(std::optional<double> value, double low, double high) {
  return value && *value >= low && *value <= high ? value : std::nullopt;
}

/** One reading of the sensors. A value is absent if the device has no such sensor or this reading failed. */
struct SensorReading {
  std::optional<double> watts;
  /** From a monotonic counter; only differences are meaningful. */
  std::optional<double> joules;
  std::optional<double> celsius;
  std::optional<double> memory_celsius;
  std::optional<double> clock_mhz;
  std::optional<double> memory_clock_mhz;
  /** Bits of throttle-reasons.h; nullopt if unknown. */
  std::optional<unsigned> throttle;
};

class DeviceSensor {
 public:
  virtual ~DeviceSensor() = default;
  virtual SensorReading read() = 0;
  /** Why energy, or temperature, is missing: a sentence; empty while the sensor works. */
  virtual std::string energy_problem() const = 0;
  virtual std::string temperature_problem() const = 0;
  /** True if the energy sensor worked at first and then stopped: a failure, unlike a device without one. */
  virtual bool energy_lost() const = 0;
  /** "RAPL packages", "NVML total energy counter" */
  virtual std::string energy_source() const = 0;
  /** "package", "gpu", "module" */
  virtual std::string scope() const = 0;
  /** "hottest processor sensor over the run" */
  virtual std::string temperature_source() const = 0;
  /** Adds the device's errors since the sensor was opened: ECC errors, PCIe replays. */
  virtual void health(JsonObject&) {}
};

}  // namespace gpumark
