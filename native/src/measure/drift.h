// Whether a series of rates had settled: a device that is still warming up, or slowing down, is faster at one end than
// at the other.
#pragma once
#include <optional>
#include <vector>

#include "protocol/json-object.h"

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
/** Adds `settled` (null where nobody can say) and `drift`, the two medians in TFLOP/s. */
void add_drift(const std::vector<double>& tflops, JsonObject& details);

}  // namespace gpumark
