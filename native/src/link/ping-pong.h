// Round trips of 64-byte messages before there is any load, measured by the dialer.
#pragma once
#include <optional>
#include <vector>

#include "link/control.h"
#include "link/slot-report.h"
#include "link/stop-flag.h"

namespace gpumark::link {

struct Pings {
  std::optional<RoundTrips> round_trips;
  /** Number of the ping that has not come back; 0: none. */
  std::uint64_t waiting_for = 0;
  /** -1 while all is well; 0: closed; else an errno. */
  int error = -1;
};

/**
 * At most 1,000 pings or 300 ms, and never beyond `by`. A ping under way at the end of its time is waited for until
 * then.
 */
Pings ping(Control& control, Ns pause, Ns by, const StopFlag& stop);

/** Percentiles of the nearest rank; nothing of nothing. */
std::optional<RoundTrips> summarise(std::vector<Ns> samples);

}  // namespace gpumark::link
