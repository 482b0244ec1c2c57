#include "link/pace.h"

#include <algorithm>

namespace gpumark::link {
namespace {

/** In the queue of the link at most: also the time that a sender may lose its core without the link running dry. */
constexpr double kQueuedNs = 100e6;
constexpr std::size_t kFirst = 128 << 10;
constexpr std::size_t kLeast = 64 << 10;

}  // namespace

Pace::Pace(Ns now, int streams) : looked_at_(now) {
  const auto count = static_cast<std::size_t>(streams);
  least_ = std::max<std::size_t>(kLeast / count, 8 << 10);
  most_ = std::max(kFirst / count, least_);
  write_bytes_ = std::min(write_bytes_, most_ / 2);
}

void Pace::look(Ns now, std::uint64_t acknowledged, Ns min_rtt) {
  const auto bytes = static_cast<double>(acknowledged - acknowledged_);
  const double rate = bytes / static_cast<double>(now - looked_at_);
  looked_at_ = now;
  acknowledged_ = acknowledged;
  // Falls slowly: a moment without acknowledgements is no slower link.
  bytes_per_ns_ = std::max(rate, bytes_per_ns_ * 0.9);
  if (bytes_per_ns_ <= 0) return;
  const double queued = bytes_per_ns_ * (kQueuedNs + 2 * static_cast<double>(min_rtt));
  most_ = std::max(least_, static_cast<std::size_t>(std::min(queued, 1e9)));
  write_bytes_ = std::clamp<std::size_t>(static_cast<std::size_t>(bytes_per_ns_ * 2e6), 8 << 10, 1 << 20);
  pause_ = std::clamp<Ns>(static_cast<Ns>(static_cast<double>(most_) / 4 / bytes_per_ns_), kMillisecond / 4, 12 * kMillisecond);
}

}  // namespace gpumark::link
