// Power, energy and temperature.
#include <chrono>

#include "core/sensors.h"
#include "rocm-smi/rocm-smi.h"

namespace gpumark::sim::rocm {
namespace {

/** Energy per count of the accumulator on MI200 and MI300, in µJ. */
constexpr float kEnergyMicrojoules = 15.259f;

std::uint64_t microwatts(double watts) { return static_cast<std::uint64_t>(watts * 1e6 + 0.5); }

/** MI300 and later report the socket's current power only, older cards the mean power only. */
bool tells_socket_power(const Device& device) {
  return device.architecture.name == "gfx942" || device.architecture.name == "gfx950";
}
/** Consumer cards have no energy accumulator. */
bool has_energy(const Device& device) { return device.architecture.warp_size == 64; }

}  // namespace

GPUMARK_SIM_EXPORT int rsmi_dev_power_ave_get(std::uint32_t index, std::uint32_t, std::uint64_t* power) {
  return with_device(index, [&](Device& device) {
    if (tells_socket_power(device)) return static_cast<int>(kNotSupported);
    return give(power, microwatts(read_sensors(device).average_watts));
  });
}

GPUMARK_SIM_EXPORT int rsmi_dev_current_socket_power_get(std::uint32_t index, std::uint64_t* power) {
  return with_device(index, [&](Device& device) {
    if (!tells_socket_power(device)) return static_cast<int>(kNotSupported);
    return give(power, microwatts(read_sensors(device).instant_watts));
  });
}

GPUMARK_SIM_EXPORT int rsmi_dev_energy_count_get(std::uint32_t index, std::uint64_t* count, float* resolution,
                                                 std::uint64_t* timestamp_ns) {
  return with_device(index, [&](Device& device) {
    if (!has_energy(device)) return static_cast<int>(kNotSupported);
    if (!count || !resolution || !timestamp_ns) return static_cast<int>(kInvalidArguments);
    *resolution = kEnergyMicrojoules;
    *timestamp_ns = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
    return give(count, read_sensors(device).joules * 1e6 / static_cast<double>(kEnergyMicrojoules));
  });
}

/** sensor: 0 edge, 1 junction, 2 memory; metric: 0 current, 5 critical. Thousandths of a degree. */
GPUMARK_SIM_EXPORT int rsmi_dev_temp_metric_get(std::uint32_t index, std::uint32_t sensor, int metric,
                                                std::int64_t* temperature) {
  return with_device(index, [&](Device& device) {
    // CDNA has no edge sensor.
    if (sensor > 2 || (sensor == 0 && device.architecture.warp_size == 64) || (metric != 0 && metric != 5))
      return static_cast<int>(kNotSupported);
    const Sensors sensors = read_sensors(device);
    return give(temperature, metric == 5 ? (kSlowdownCelsius + 13) * 1000.0
                                         : 1000 * (sensor == 2 ? sensors.memory_celsius : sensors.celsius));
  });
}

GPUMARK_SIM_EXPORT int rsmi_dev_power_cap_get(std::uint32_t index, std::uint32_t, std::uint64_t* cap) {
  return with_device(index, [&](Device& device) { return give(cap, microwatts(power_cap_watts(device))); });
}

GPUMARK_SIM_EXPORT int rsmi_dev_power_cap_default_get(std::uint32_t index, std::uint64_t* cap) {
  return with_device(index, [&](Device&) { return give(cap, microwatts(kDefaultPowerCapWatts)); });
}

}  // namespace gpumark::sim::rocm
