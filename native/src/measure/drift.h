// Whether a series of rates has settled: a device that is still warming up, or slowing down, is faster at one end than
// at the other.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "protocol/json-object.h"
#include "registry/benchmarks.h"

namespace gpumark {

/** Medians of the first and of the last quarter. */
struct Drift {
  double first = 0, last = 0;
  /** 0.03: the last quarter is 3 % faster than the first. */
  double share() const { return last / first - 1; }
  /** Within 2 %. */
  bool settled() const;
};
/** nullopt with fewer than eight rates. */
std::optional<Drift> drift_of(const std::vector<double>& rates);

/**
 * Shares of a benchmark's time: `pieces` pieces in a row make a series, and all pieces together take at most `limit`.
 */
struct SeriesPlan {
  double piece;
  int pieces;
  double limit;
};
/**
 * Quick: one series. The longer tiers continue until their last pieces are settled; standard within the time that the
 * other parts of a product leave, soak for up to the benchmark's planned time once more.
 */
SeriesPlan series_plan(Tier tier);

struct SettledSeries {
  /** Rates of the last pieces, those that count. */
  std::vector<double> rates;
  int pieces_taken = 0;
  /** Indices of the pieces that count: [first, end). */
  int first_counted = 0, end_counted = 0;
};
/**
 * Takes pieces until the last ones are settled, or until another would pass the limit.
 * @param take measures a piece of the given seconds; a piece cut short by `stopped` counts only if there is no other
 */
SettledSeries take_until_settled(const SeriesPlan& plan, double seconds,
                                 const std::function<std::vector<double>(double seconds)>& take,
                                 const std::function<double()>& now, const std::function<bool()>& stopped);
/**
 * Adds `settled` (null if unknown) and `drift`, the two medians in TFLOP/s.
 * @param long_enough the load lasted long enough for a device that slows down under it to have done so
 */
void add_drift(const std::vector<double>& tflops, JsonObject& details, bool long_enough = true);

}  // namespace gpumark
