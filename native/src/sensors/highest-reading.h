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

/** Whether a reading counts, by those before and after it; a single one is all the evidence there is. */
inline bool is_confirmed(std::optional<double> before, double value, std::optional<double> after, Near near) {
  if (!before && !after) return true;
  return (before && near.confirms(*before, value)) || (after && near.confirms(*after, value));
}

/** Those of the readings, in order of time, that count. */
inline std::vector<double> confirmed(const std::vector<double>& readings, Near near) {
  const auto at = [&](std::size_t i) { return i < readings.size() ? std::optional(readings[i]) : std::nullopt; };
  std::vector<double> kept;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (is_confirmed(i > 0 ? at(i - 1) : std::nullopt, readings[i], at(i + 1), near)) kept.push_back(readings[i]);
  }
  return kept;
}

/** The highest of those that count, without keeping them. */
class HighestReading {
 public:
  explicit HighestReading(Near near) : near_(near) {}

  /** In order of time; a failed reading is not one. */
  void add(std::optional<double> now) {
    if (!now) return;
    highest_ = with_last(now);
    before_ = last_;
    last_ = now;
  }
  std::optional<double> value() const { return with_last(std::nullopt); }

 private:
  /** @param next the reading after the last, nullopt while there is none */
  std::optional<double> with_last(std::optional<double> next) const {
    if (!last_ || !is_confirmed(before_, *last_, next, near_)) return highest_;
    return std::max(highest_.value_or(*last_), *last_);
  }

  Near near_;
  std::optional<double> before_, last_, highest_;
};

}  // namespace gpumark
