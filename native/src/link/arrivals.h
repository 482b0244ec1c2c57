// Arrival times of one stream's bytes, and the rate of several streams over one common window.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "link/monotonic.h"

namespace gpumark::link {

class Arrivals {
 public:
  /** Call after each receive: `total` bytes had arrived by `at`. Stores one point per millisecond, and the latest. */
  void add(Ns at, std::uint64_t total);
  bool empty() const { return points_.empty(); }
  Ns first() const { return points_.front().at; }
  Ns last() const { return latest_.at; }
  std::uint64_t total() const { return latest_.total; }
  /** Bytes received by then, interpolated linearly between two receives; 0 before the first one. */
  double bytes_at(Ns at) const;

 private:
  struct Point {
    Ns at = 0;
    std::uint64_t total = 0;
  };
  std::vector<Point> points_;
  Point latest_;
};

struct Rate {
  double gbps = 0;
  std::uint64_t bytes = 0;
  double window_ms = 0;
};

/** The window begins `warm` after the first byte of any stream, lasts `measured`, and never ends after `limit`. */
struct Window {
  Ns warm = 0;
  Ns measured = 0;
  Ns limit = 0;
  Ns end_after(Ns first) const;
};

/**
 * unknown: the transfer broke off. complete: everything sent has arrived. stalled: bytes sent had not arrived by the
 * end of the window.
 */
enum class Ending { unknown, stalled, complete };

/**
 * Bytes of all streams within the window over its length, a stall at its end included. A transfer that was complete
 * before the window was over (the cap of bytes) counts from a third of its own length, if two thirds are 20 ms or more.
 * nullopt if bytes stopped for another reason.
 */
std::optional<Rate> rate_of(const std::vector<const Arrivals*>& streams, const Window& window, Ending ending);

}  // namespace gpumark::link
