#include "core/sensors.h"

namespace gpumark::sim {

Sensors read_sensors(Device& device) {
  const PowerMeter::Reading reading = device.power.read();
  Sensors sensors{.instant_watts = reading.instant_watts,
                  .average_watts = reading.average_watts,
                  .joules = reading.joules,
                  .celsius = 35 + 25 * reading.load,
                  .memory_celsius = 40 + 30 * reading.load,
                  .clock_mhz = reading.busy ? kMaxClockMhz : kIdleClockMhz,
                  .memory_clock_mhz = kMemoryClockMhz,
                  .busy = reading.busy,
                  .load = reading.load};
  if (device.has_fault("throttle-thermal")) {
    sensors.celsius = reading.busy ? kSlowdownCelsius + 2 : kSlowdownCelsius - 7;
    if (reading.busy) sensors.clock_mhz = kMaxClockMhz * 6 / 10;
  }
  if (device.has_fault("power-cap") && reading.busy) sensors.clock_mhz = kMaxClockMhz * 7 / 10;
  if (device.has_fault("wrong-energy")) sensors.joules *= 3;
  if (device.has_fault("stuck-energy")) sensors.joules = 123456;
  return sensors;
}

double power_cap_watts(const Device& device) {
  return device.has_fault("power-cap") ? PowerMeter::kBusyWatts / 2 : kDefaultPowerCapWatts;
}

}  // namespace gpumark::sim
