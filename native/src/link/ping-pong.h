// Round trips of 64-byte messages on the idle link, measured by the dialer.
#pragma once
#include <optional>
#include <vector>

#include "link/control.h"
#include "link/slot-report.h"
#include "link/stop-flag.h"

namespace gpumark::link {

struct Pings {
  std::optional<RoundTrips> round_trips;
  /** Number of the unanswered ping; 0: none. */
  std::uint64_t waiting_for = 0;
  /** -1 while all is well; 0: closed; else an errno. */
  int error = -1;
};

/**
 * At most 5,000 pings or 300 ms, and never beyond `by`. A ping still unanswered when the time ends is waited for until
 * `by`.
 */
Pings ping(Control& control, Ns pause, Ns by, const StopFlag& stop);

/** Percentiles by nearest rank; nullopt without samples. */
std::optional<RoundTrips> summarise(std::vector<Ns> samples);

}  // namespace gpumark::link
