// One end's report of its slot.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "link/arrivals.h"
#include "link/outcome.h"
#include "link/tcp-counters.h"

namespace gpumark::link {

/** Full round trips in microseconds. */
struct RoundTrips {
  double min = 0;
  double p50 = 0;
  double p99 = 0;
  double max = 0;
  int samples = 0;
};

struct Sent {
  std::uint64_t bytes = 0;
  TcpCounters counters;
};

struct SlotReport {
  Outcome outcome;
  /** When this end actually began, and how much later than planned; nullopt if it never did. */
  std::optional<Ns> started;
  Ns skew = 0;
  Ns connect_time = 0;
  std::optional<Rate> received;
  std::optional<Sent> sent;
  std::optional<RoundTrips> round_trips;
  std::optional<int> mtu;
  std::optional<std::string> interface;
};

}  // namespace gpumark::link
