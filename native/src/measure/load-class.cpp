#include "measure/load-class.h"

#include "measure/drift.h"

namespace gpumark {
namespace {

/**
 * The times are read on two clocks, the host's and the device's, and the host notices a stretch's end late: a figure
 * that took its planned time may read a few ms less.
 */
constexpr double kReading = 0.995;
/** What a card's clocks and temperature need at the least; pauses of a few ms do not end a load. */
constexpr double kSettledLoad = 120;
constexpr double kBurstLeast = 0.1, kBurstMost = 0.5;

}  // namespace

const char* load_class(const LoadTime& time, const std::vector<double>& rates) {
  if (time.before < kSustainedBefore * kReading || time.counted < kSustainedCounted * kReading) return "brief";
  const std::optional<Drift> drift = drift_of(rates);
  const bool is_settled = time.before + time.counted >= kSettledLoad && drift && drift->settled();
  return is_settled ? "settled" : "sustained";
}

void add_load(const LoadTime& time, const std::vector<double>& rates, JsonObject& details) {
  details.text("load", load_class(time, rates))
      .number("before_seconds", time.before)
      .number("counted_seconds", time.counted);
}

bool is_burst(double counted_seconds) { return counted_seconds >= kBurstLeast && counted_seconds <= kBurstMost; }

}  // namespace gpumark
