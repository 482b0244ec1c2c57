// Limits a sender's unacknowledged bytes. Without a limit, a slow link with a deep queue would still deliver the
// forward direction's data while the reverse one is measured: cubic fills a queue of any depth.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "link/monotonic.h"

namespace gpumark::link {

class Pace {
 public:
  Pace(Ns now, int streams);
  /** Whether the socket's counters should be read again. */
  bool due(Ns now) const { return now - looked_at_ >= kLook; }
  /** `acknowledged` bytes since the start; `min_rtt` 0: unknown. */
  void look(Ns now, std::uint64_t acknowledged, Ns min_rtt);
  /**
   * False if the stream is so fast that the kernel's buffers are the smaller limit, and no check per write is needed.
   */
  bool limited() const { return most_ < kKernelBuffers; }
  /** Maximum of unacknowledged bytes, sent or still in the socket. */
  std::size_t most() const { return most_; }
  /** Bytes per write: 2 ms at the measured rate, so that deadlines are noticed in time. */
  std::size_t write_bytes() const { return write_bytes_; }
  /** How long to sleep at the limit: the time in which a quarter of it drains. */
  Ns pause() const { return pause_; }

 private:
  static constexpr Ns kLook = 10 * kMillisecond;
  /** 4 MiB is the usual maximum send buffer (net.ipv4.tcp_wmem). */
  static constexpr std::size_t kKernelBuffers = 4 << 20;

  struct Point {
    Ns at = 0;
    std::uint64_t acknowledged = 0;
  };
  /** Ring buffer of the last readings: acknowledgements arrive in bursts, so 10 ms alone are not representative. */
  std::array<Point, 10> looks_{};
  std::size_t count_ = 1;
  Ns looked_at_;
  std::size_t least_;
  std::size_t most_;
  std::size_t write_bytes_ = 64 << 10;
  Ns pause_ = kMillisecond;
};

}  // namespace gpumark::link
