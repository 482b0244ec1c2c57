// The kernel's counters for our end of a connection (TCP_INFO).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "link/monotonic.h"

namespace gpumark::link {

/**
 * Over several connections: sums, the smallest round trip, the largest path MTU. nullopt if the kernel does not report
 * them.
 */
struct TcpCounters {
  std::optional<std::uint64_t> retransmits;
  /** Segments with data, including retransmissions. */
  std::optional<std::uint64_t> segments;
  std::optional<double> min_rtt_us;
  std::optional<int> mtu;
};

TcpCounters read_counters(const std::vector<int>& streams);
/** 0: unknown. */
Ns min_rtt_of(int fd);

}  // namespace gpumark::link
