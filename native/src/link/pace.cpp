#include "link/pace.h"

#include <algorithm>

namespace gpumark::link {
namespace {

/** Maximum queued on the link, in time: also how long a sender may lose its core without the link running dry. */
constexpr double kQueuedNs = 100e6;
constexpr std::size_t kFirst = 128 << 10;
constexpr std::size_t kLeast = 64 << 10;

}  // namespace

Pace::Pace(Ns now, int streams) : looked_at_(now) {
  const auto count = static_cast<std::size_t>(streams);
  least_ = std::max<std::size_t>(kLeast / count, 8 << 10);
  most_ = std::max(kFirst / count, least_);
  write_bytes_ = std::min(write_bytes_, most_ / 2);
  looks_[0] = {now, 0};
}

void Pace::look(Ns now, std::uint64_t acknowledged, Ns min_rtt) {
  const Point& oldest = looks_[count_ < looks_.size() ? 0 : count_ % looks_.size()];
  const double rate = static_cast<double>(acknowledged - oldest.acknowledged) / static_cast<double>(now - oldest.at);
  looks_[count_++ % looks_.size()] = {now, acknowledged};
  looked_at_ = now;
  if (rate <= 0) return;
  const double queued = std::min(rate * (kQueuedNs + 2 * static_cast<double>(min_rtt)), 1e9);
  // The first bytes pass a traffic shaper's bucket at line rate, so the limit may at most double per step.
  most_ = std::clamp(static_cast<std::size_t>(queued), least_, 2 * most_);
  write_bytes_ = std::clamp<std::size_t>(static_cast<std::size_t>(rate * 2e6), 8 << 10, 1 << 20);
  pause_ = std::clamp<Ns>(static_cast<Ns>(static_cast<double>(most_) / 4 / rate), kMillisecond / 4, 12 * kMillisecond);
}

}  // namespace gpumark::link
