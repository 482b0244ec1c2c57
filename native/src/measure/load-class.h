// How long a device had carried the load that a figure counts. At its power cap a card is up to a fifth faster in its
// first second than it stays, so figures are comparable only within one class.
#pragma once
#include <vector>

#include "protocol/json-object.h"

namespace gpumark {

/** Seconds of the same work, back to back: before what a figure counts, and while it counted. */
struct LoadTime {
  double before = 0, counted = 0;
};

/** What a sustained figure needs at the least. */
constexpr double kSustainedBefore = 1.6, kSustainedCounted = 1.2;

/** Of the seconds for a figure, those before it counts: a quarter, but what a sustained one needs if that leaves
 * enough. */
constexpr double warm_up_of(double seconds) {
  const bool is_enough = seconds >= (kSustainedBefore + kSustainedCounted) * 0.999;
  return is_enough && seconds / 4 < kSustainedBefore ? kSustainedBefore : seconds / 4;
}

/**
 * "sustained" after at least 1.6 s of the same load, over at least 1.2 s; "settled" if that load lasted two minutes and
 * the rates' first and last quarter differ by at most 2 %; else "brief", which is comparable with nothing.
 */
const char* load_class(const LoadTime& time, const std::vector<double>& rates);
/** Adds `load` with the two times that it follows from. */
void add_load(const LoadTime& time, const std::vector<double>& rates, JsonObject& details);

/**
 * A burst is the first 0.1 to 0.5 s after a rest, before the power control acts: a class of its own, never a headline.
 * An H200 keeps its first rate for 0.1 s and most of it for 0.9 s.
 */
constexpr double kBurstSeconds = 0.25, kRestSeconds = 0.25;
constexpr const char* kBurst = "burst";
bool is_burst(double counted_seconds);

}  // namespace gpumark
