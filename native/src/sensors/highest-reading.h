// Readings that others confirm: what is highest among them, whichever single one is absurd.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

namespace gpumark {

/**
 * Temperatures and powers of a device do not jump for one reading: a value counts once the reading before or after it
 * has come near, which what a driver reports in error does not. Near: at least this share of the value, or no further
 * below it.
 */
struct Near {
  double share, distance;
  bool confirms(double neighbour, double value) const { return neighbour >= std::min(value * share, value - distance); }
};
/** From rest to full load within one reading: 120 to 894 W (H100), the next readings above 600. */
constexpr Near kNearWatts = {0.5, 50};
/** At five readings a second a device warms by less. */
constexpr Near kNearCelsius = {1, 15};

/** Those of the readings, in order of time, that a neighbour confirms; a single one is all the evidence there is. */
inline std::vector<double> confirmed(const std::vector<double>& readings, Near near) {
  if (readings.size() < 2) return readings;
  std::vector<double> kept;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const bool before = i > 0 && near.confirms(readings[i - 1], readings[i]);
    const bool after = i + 1 < readings.size() && near.confirms(readings[i + 1], readings[i]);
    if (before || after) kept.push_back(readings[i]);
  }
  return kept;
}

/** The highest of the confirmed readings, without keeping them. */
class HighestReading {
 public:
  explicit HighestReading(Near near) : near_(near) {}

  /** In order of time; a failed reading is not one. */
  void add(std::optional<double> now) {
    if (!now) return;
    ++readings_;
    if (last_ && (last_confirmed_ || near_.confirms(*now, *last_))) keep(*last_);
    last_confirmed_ = last_ && near_.confirms(*last_, *now);
    last_ = now;
  }
  std::optional<double> value() const {
    if (readings_ == 1) return last_;
    return last_confirmed_ ? std::max(highest_.value_or(*last_), *last_) : highest_;
  }

 private:
  void keep(double value) { highest_ = std::max(highest_.value_or(value), value); }

  Near near_;
  int readings_ = 0;
  bool last_confirmed_ = false;
  std::optional<double> last_, highest_;
};

}  // namespace gpumark
