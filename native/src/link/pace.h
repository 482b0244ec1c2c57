// How much a sender lets lie unacknowledged. Without a limit a slow link behind a deep queue would still deliver the
// forward direction while the reverse one is being measured: cubic fills a queue of any depth.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "link/monotonic.h"

namespace gpumark::link {

class Pace {
 public:
  Pace(Ns now, int streams);
  /** Whether a new look at the socket is due. */
  bool due(Ns now) const { return now - looked_at_ >= kLook; }
  /** `acknowledged` bytes since the start; `min_rtt` 0: unknown. */
  void look(Ns now, std::uint64_t acknowledged, Ns min_rtt);
  /**
   * False: this stream is so fast that the kernel's own buffers are the smaller limit, and there is no need to look at
   * every write.
   */
  bool limited() const { return most_ < kKernelBuffers; }
  /** Bytes that may lie unacknowledged, sent or not. */
  std::size_t most() const { return most_; }
  /** Bytes per write: 2 ms of the measured rate, so that the end of the time is seen in time. */
  std::size_t write_bytes() const { return write_bytes_; }
  /** How long to sleep while the limit is reached: a quarter of it drains meanwhile. */
  Ns pause() const { return pause_; }

 private:
  static constexpr Ns kLook = 10 * kMillisecond;
  /** 4 MiB is the usual greatest send buffer (net.ipv4.tcp_wmem). */
  static constexpr std::size_t kKernelBuffers = 4 << 20;

  struct Point {
    Ns at = 0;
    std::uint64_t acknowledged = 0;
  };
  /** The last looks, of which the oldest is overwritten: acknowledgements come in lumps, 10 ms alone say little. */
  std::array<Point, 10> looks_{};
  std::size_t count_ = 1;
  Ns looked_at_;
  std::size_t least_;
  std::size_t most_;
  std::size_t write_bytes_ = 64 << 10;
  Ns pause_ = kMillisecond;
};

}  // namespace gpumark::link
