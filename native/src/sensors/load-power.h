// Power of a device under one kind of work.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json-object.h"
#include "sensors/energy-record.h"
#include "sensors/highest-reading.h"

namespace gpumark {

/** Work whose power is recorded. The one with the highest rank gives the device's figure. */
struct Load {
  std::string name;
  int rank = 0;
};

/** Over all intervals of one load, excluding what ran between them. */
struct LoadPower {
  Load load;
  EnergyRecord energy;
  /** The individual readings, for the percentile. */
  std::vector<double> readings;

  void add(const SensorReading& reading, double at) {
    energy.add(reading, at);
    if (reading.watts) readings.push_back(*reading.watts);
  }
  /** Below half a second a mean power is dominated by the edges of the interval. */
  std::optional<double> watts() const {
    return energy.mean_seconds() >= kLeastSeconds ? energy.mean_watts() : std::nullopt;
  }
  /** 95th percentile of the confirmed readings (nearest rank); nullopt with fewer than three. */
  std::optional<double> p95_watts() const {
    std::vector<double> sorted = confirmed(readings, kNearWatts);
    if (sorted.size() < 3) return std::nullopt;
    std::sort(sorted.begin(), sorted.end());
    return sorted[(sorted.size() * 95 + 99) / 100 - 1];
  }

  /** Adds both means, by the counter and by the readings, and whether they agree within a tenth. */
  void compare(JsonObject& details) const {
    details.number("integrated_watts", energy.integrated_watts()).number("counter_ratio", energy.ratio());
    const std::optional<bool> agrees = energy.judged();
    agrees ? details.boolean("counter_agrees", *agrees) : details.null("counter_agrees");
  }

  static constexpr double kLeastSeconds = 0.5;
};

}  // namespace gpumark
