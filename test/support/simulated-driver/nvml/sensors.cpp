// Power, energy, temperature, clocks and throttling.
#include <chrono>

#include "core/sensors.h"
#include "nvml/nvml.h"

namespace gpumark::sim::nvml {
namespace {

/** nvmlClocksThrottleReason* */
constexpr unsigned long long kGpuIdle = 0x1, kSwPowerCap = 0x4, kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40;

/** NVML_FI_DEV_* and the types of their values. Scope 0 is the GPU; 1 is the module, which only Grace has. */
constexpr unsigned kMemoryTemperature = 82, kTotalEnergy = 83, kPowerAverage = 185, kPowerInstant = 186,
                   kSlowdownTLimit = 194, kRecoveryAction = 230;
constexpr int kUnsignedInt = 1, kUnsignedLongLong = 3, kSignedInt = 5;

/** Hopper and later report thresholds as margins to the temperature at which they slow down: positive below it. */
constexpr int kSlowdownMargin = -2;

/** Drivers from CUDA 12.8 on have calls that replace older ones; with the fault, only the new calls work. */
bool has_new_calls() { return settings().cuda_version >= 12080; }
bool has_old_calls() { return !settings().fault("nvml-new-calls-only", -1); }

unsigned milliwatts(double watts) { return static_cast<unsigned>(watts * 1000 + 0.5); }
unsigned long long millijoules(double joules) { return static_cast<unsigned long long>(joules * 1000); }

void read_field(Device& device, FieldValue& field) {
  const Sensors sensors = read_sensors(device);
  const bool power = field.field == kPowerAverage || field.field == kPowerInstant;
  field.latency_us = 1;
  field.timestamp_us =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  field.result = power && field.scope != 0 ? kNotSupported : kSuccess;
  field.type = kUnsignedInt;
  if (power) {
    field.value.ui = milliwatts(field.field == kPowerAverage ? sensors.average_watts : sensors.instant_watts);
  } else if (field.field == kMemoryTemperature) {
    field.value.ui = static_cast<unsigned>(sensors.memory_celsius);
  } else if (field.field == kTotalEnergy) {
    field.type = kUnsignedLongLong;
    field.value.ull = millijoules(sensors.joules);
  } else if (field.field == kSlowdownTLimit && device.architecture.major >= 9) {
    field.type = kSignedInt;
    field.value.si = kSlowdownMargin;
  } else if (field.field == kRecoveryAction && settings().cuda_version >= 12080) {
    field.result = give_health(&field.value.ui, device, "recovery-action", 0);
  } else if (!read_link_field(device, field)) {
    field.result = kNotSupported;
  }
}

}  // namespace

/** From A100 on, the mean of the last second; on older cards, the current power. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetPowerUsage(void* opaque, unsigned* power) {
  return with_card(opaque, [&](Device& device) {
    const Sensors sensors = read_sensors(device);
    return give(power, milliwatts(device.architecture.major >= 8 ? sensors.average_watts : sensors.instant_watts));
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetFieldValues(void* opaque, int count, FieldValue* fields) {
  return with_card(opaque, [&](Device& device) {
    if (!fields || count < 0) return kInvalidArgument;
    for (int i = 0; i < count; ++i) read_field(device, fields[i]);
    return kSuccess;
  });
}

/** Since Volta. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetTotalEnergyConsumption(void* opaque, unsigned long long* energy) {
  return with_card(opaque, [&](Device& device) {
    if (device.architecture.major < 7) return static_cast<int>(kNotSupported);
    return give(energy, millijoules(read_sensors(device).joules));
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetTemperature(void* opaque, int sensor, unsigned* celsius) {
  if (!has_old_calls()) return kNotSupported;
  return with_card(opaque, [&](Device& device) {
    return sensor == 0 ? give(celsius, read_sensors(device).celsius) : static_cast<int>(kInvalidArgument);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetTemperatureV(void* opaque, Temperature* temperature) {
  if (!has_new_calls()) return kFunctionNotFound;
  if (!temperature || temperature->version != (sizeof(Temperature) | 1u << 24)) return kVersionMismatch;
  return with_card(opaque, [&](Device& device) {
    return temperature->sensor == 0 ? give(&temperature->celsius, read_sensors(device).celsius)
                                    : static_cast<int>(kInvalidArgument);
  });
}

/** nvmlTemperatureThresholds_t: 0 shutdown, 1 slowdown, 2 memory, 3 below base clocks */
GPUMARK_SIM_EXPORT int nvmlDeviceGetTemperatureThreshold(void* opaque, int threshold, unsigned* celsius) {
  return with_card(opaque, [&](Device& device) {
    // From Hopper on, thresholds are margins: see the field kSlowdownTLimit.
    if (device.architecture.major >= 9) return static_cast<int>(kNotSupported);
    constexpr unsigned kThresholds[] = {kSlowdownCelsius + 5, kSlowdownCelsius, 95, kSlowdownCelsius - 2};
    return threshold >= 0 && threshold < 4 ? give(celsius, kThresholds[threshold]) : static_cast<int>(kInvalidArgument);
  });
}

/** nvmlClockType_t: 0 graphics, 1 SM, 2 memory */
GPUMARK_SIM_EXPORT int nvmlDeviceGetClockInfo(void* opaque, int type, unsigned* mhz) {
  return with_card(opaque, [&](Device& device) {
    const Sensors sensors = read_sensors(device);
    return type >= 0 && type <= 2 ? give(mhz, type == 2 ? sensors.memory_clock_mhz : sensors.clock_mhz)
                                  : static_cast<int>(kInvalidArgument);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMaxClockInfo(void* opaque, int type, unsigned* mhz) {
  return with_card(opaque, [&](Device&) {
    return type >= 0 && type <= 2 ? give(mhz, type == 2 ? kMemoryClockMhz : kMaxClockMhz)
                                  : static_cast<int>(kInvalidArgument);
  });
}

static int clocks_event_reasons(void* opaque, unsigned long long* reasons) {
  return with_card(opaque, [&](Device& device) {
    if (!read_sensors(device).busy) return give(reasons, kGpuIdle);
    const unsigned long long thermal = device.has_fault("throttle-thermal") ? kHwSlowdown | kSwThermal | kHwThermal : 0;
    return give(reasons,
                thermal | (device.has_fault("power-cap") ? kSwPowerCap : 0) | health(device, "throttle-bits", 0).value);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void* opaque, unsigned long long* reasons) {
  return has_old_calls() ? clocks_event_reasons(opaque, reasons) : static_cast<int>(kNotSupported);
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void* opaque, unsigned long long* reasons) {
  return has_new_calls() ? clocks_event_reasons(opaque, reasons) : static_cast<int>(kFunctionNotFound);
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetEnforcedPowerLimit(void* opaque, unsigned* limit) {
  return with_card(opaque, [&](Device& device) { return give(limit, milliwatts(power_cap_watts(device))); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetPowerManagementDefaultLimit(void* opaque, unsigned* limit) {
  return with_card(opaque, [&](Device&) { return give(limit, milliwatts(kDefaultPowerCapWatts)); });
}

}  // namespace gpumark::sim::nvml
