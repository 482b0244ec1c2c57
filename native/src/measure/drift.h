// Whether a series of rates had settled: a device that is still warming up, or slowing down, is faster at one end than
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
/** Nothing with fewer than eight rates. */
std::optional<Drift> drift_of(const std::vector<double>& rates);

/** Shares of a benchmark's time: a series is `pieces` of them in a row, and all pieces together take no longer than
 * `limit`. */
struct SeriesPlan {
  double piece;
  int pieces;
  double limit;
};
/**
 * Quick: one series. The longer tiers go on until their last pieces are settled, standard for as long as its plan has
 * room beside the other parts of a product, a soak for as long again as the whole benchmark is planned for.
 */
SeriesPlan series_plan(Tier tier);

struct SettledSeries {
  /** Of the last pieces, which count. */
  std::vector<double> rates;
  int pieces_taken = 0;
  /** The pieces that count, from the first of all on: [first, end). */
  int first_counted = 0, end_counted = 0;
};
/**
 * Takes pieces until the last ones are settled, or until another would pass the limit.
 * @param take a piece of so many seconds; what it gives before `stopped` holds counts only if there is nothing else
 */
SettledSeries take_until_settled(const SeriesPlan& plan, double seconds,
                                 const std::function<std::vector<double>(double seconds)>& take,
                                 const std::function<double()>& now, const std::function<bool()>& stopped);
/**
 * Adds `settled` (null if nobody can say) and `drift`, the two medians in TFLOP/s.
 * @param long_enough the load lasted until a device that slows down under it would have done so
 */
void add_drift(const std::vector<double>& tflops, JsonObject& details, bool long_enough = true);

}  // namespace gpumark
