#include "sensors/energy-record.h"

namespace gpumark {
namespace {

constexpr double kRatioMin = 0.9;
constexpr double kRatioMax = 1.1;
/** Twenty refreshes of the slowest counter, so that its steps are within 5 %. */
constexpr double kMinSeconds = 2;

}  // namespace

void EnergyRecord::add(const SensorReading& reading, double at) {
  // A counter that ran backwards or fell silent has no difference any more.
  if (last_joules_ && (!reading.joules || *reading.joules < *last_joules_)) broken_ = true;
  if (reading.joules) {
    if (!first_joules_) first_joules_ = reading.joules, first_joules_at_ = at;
    last_joules_ = reading.joules;
    last_joules_at_ = at;
  }
  if (reading.watts) {
    if (!last_watts_) first_watts_at_ = at;
    if (last_watts_) integral_ += (*last_watts_ + *reading.watts) / 2 * (at - last_watts_at_);
    last_watts_ = reading.watts;
    last_watts_at_ = at;
    ++power_readings_;
  }
}

double EnergyRecord::seconds() const { return counter_trusted() ? counter_seconds() : last_watts_at_ - first_watts_at_; }

std::optional<double> EnergyRecord::counter_joules() const {
  if (!first_joules_ || broken_) return std::nullopt;
  return *last_joules_ - *first_joules_;
}

std::optional<double> EnergyRecord::integrated_joules() const { return power_readings_ < 2 ? std::nullopt : std::optional<double>(integral_); }

std::optional<double> EnergyRecord::ratio() const {
  const auto counter = counter_joules(), integrated = integrated_joules();
  if (!counter || !integrated || *integrated <= 0) return std::nullopt;
  return *counter / *integrated;
}

bool EnergyRecord::counter_trusted() const {
  if (!counter_joules() || *counter_joules() <= 0) return false;
  if (!integrated_joules()) return true;
  return counter_seconds() >= kMinSeconds && ratio() && *ratio() >= kRatioMin && *ratio() <= kRatioMax;
}

std::optional<double> EnergyRecord::joules() const { return counter_trusted() ? counter_joules() : integrated_joules(); }

}  // namespace gpumark
