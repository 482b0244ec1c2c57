// Readings of a card's sensors, the same for both vendors' telemetry.
#pragma once
#include "core/device.h"

namespace gpumark::sim {

struct Sensors {
  double instant_watts, average_watts, joules;
  double celsius, memory_celsius;
  unsigned clock_mhz, memory_clock_mhz;
  /** Whether the card worked recently, and its load over the last second, 0..1. */
  bool busy;
  double load;
};

constexpr unsigned kMaxClockMhz = 1000;
constexpr unsigned kIdleClockMhz = 210;
constexpr unsigned kMemoryClockMhz = 1000;
constexpr unsigned kSlowdownCelsius = 87;
constexpr double kDefaultPowerCapWatts = 450;

/** With faults of the energy counter and of the cooling applied. */
Sensors read_sensors(Device& device);
/** The power limit: half of the busy power if the card is capped, else the default. */
double power_cap_watts(const Device& device);

}  // namespace gpumark::sim
