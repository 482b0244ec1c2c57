// What the kernel says of our end of a connection (TCP_INFO).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "link/monotonic.h"

namespace gpumark::link {

/**
 * Of several connections: sums, the least round trip, the greatest path MTU. Nothing if this kernel does not say.
 */
struct TcpCounters {
  std::optional<std::uint64_t> retransmits;
  /** Segments with data, those sent again included. */
  std::optional<std::uint64_t> segments;
  std::optional<double> min_rtt_us;
  std::optional<int> mtu;
};

TcpCounters read_counters(const std::vector<int>& streams);
/** 0: unknown. */
Ns min_rtt_of(int fd);

}  // namespace gpumark::link
