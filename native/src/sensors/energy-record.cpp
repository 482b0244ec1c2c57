#include "sensors/energy-record.h"

namespace gpumark {
namespace {

constexpr double kRatioMin = 0.9;
constexpr double kRatioMax = 1.1;
/** Twenty refresh intervals of the slowest counter (100 ms), so that its resolution is within 5 %: before, it is not
 * judged. */
constexpr double kMinSeconds = 2;
/**
 * A mean power is the counter's from here on: it misses nothing between two readings, while a handful of readings of a
 * card at its cap, which swing between 600 and 950 W, are off by 4 % and miss transients altogether.
 */
constexpr double kMinMeanSeconds = 1;
/** A counter that rises faster than kMaxWatts has jumped, its longest refresh interval allowed for. */
constexpr double kRefreshSeconds = 1;

}  // namespace

void EnergyRecord::add(const SensorReading& reading, double at) {
  Stretch& s = now_;
  if (s.last_joules && reading.joules) {
    const double rise = *reading.joules - *s.last_joules;
    if (rise < 0 || rise > kMaxWatts * (at - s.last_joules_at + kRefreshSeconds)) s.broken = true;
  }
  s.silent = !reading.joules;
  if (reading.joules) {
    if (!s.first_joules) s.first_joules = reading.joules, s.first_joules_at = at;
    s.last_joules = reading.joules;
    s.last_joules_at = at;
  }
  if (reading.watts) {
    if (!s.last_watts) s.first_watts_at = at;
    if (s.last_watts) s.integral += (*s.last_watts + *reading.watts) / 2 * (at - s.last_watts_at);
    s.last_watts = reading.watts;
    s.last_watts_at = at;
    ++s.power_readings;
  }
}

void EnergyRecord::take_stretch() {
  counter_before_ = counter();
  integral_before_ = integral();
  now_ = Stretch();
}

EnergyRecord::Amount EnergyRecord::counter() const {
  Amount amount = counter_before_;
  if (now_.first_joules && !now_.broken && !now_.silent)
    amount.add(*now_.last_joules - *now_.first_joules, now_.last_joules_at - now_.first_joules_at);
  return amount;
}

EnergyRecord::Amount EnergyRecord::integral() const {
  Amount amount = integral_before_;
  if (now_.power_readings >= 2) amount.add(now_.integral, now_.last_watts_at - now_.first_watts_at);
  return amount;
}

std::optional<double> EnergyRecord::counter_joules() const {
  const Amount amount = counter();
  return amount.any ? std::optional<double>(amount.joules) : std::nullopt;
}

std::optional<double> EnergyRecord::integrated_joules() const {
  const Amount amount = integral();
  return amount.any ? std::optional<double>(amount.joules) : std::nullopt;
}

std::optional<double> EnergyRecord::ratio() const {
  const auto counted = counter_joules(), integrated = integrated_joules();
  if (!counted || !integrated || *integrated <= 0) return std::nullopt;
  return *counted / *integrated;
}

bool EnergyRecord::counter_agrees() const {
  if (!counted()) return false;
  if (!integrated_joules()) return true;
  return counter().seconds >= kMinSeconds && ratio() && *ratio() >= kRatioMin && *ratio() <= kRatioMax;
}

bool EnergyRecord::mean_by_counter() const {
  return counted() && (counter().seconds >= kMinMeanSeconds || !integral().any);
}

std::optional<bool> EnergyRecord::judged() const {
  const Amount amount = counter();
  if (!amount.any || amount.seconds < kMinSeconds || !integrated_joules()) return std::nullopt;
  return counter_agrees();
}

}  // namespace gpumark
