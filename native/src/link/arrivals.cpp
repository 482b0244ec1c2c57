#include "link/arrivals.h"

#include <algorithm>
#include <cmath>

namespace gpumark::link {
namespace {

/** The longest slot transfers for 60 s in each direction: 60,000 points. */
constexpr Ns kGrain = kMillisecond;
constexpr Ns kShortestWindow = 20 * kMillisecond;

}  // namespace

void Arrivals::add(Ns at, std::uint64_t total) {
  latest_ = {at, total};
  if (points_.empty() || at - points_.back().at >= kGrain) points_.push_back(latest_);
}

double Arrivals::bytes_at(Ns at) const {
  if (points_.empty() || at < points_.front().at) return 0;
  if (at >= latest_.at) return static_cast<double>(latest_.total);
  const auto later =
      std::upper_bound(points_.begin(), points_.end(), at, [](Ns t, const Point& p) { return t < p.at; });
  const Point& to = later == points_.end() ? latest_ : *later;
  const Point& from = *(later - 1);
  const double share = static_cast<double>(at - from.at) / static_cast<double>(to.at - from.at);
  return static_cast<double>(from.total) + share * static_cast<double>(to.total - from.total);
}

Ns Window::end_after(Ns first) const { return std::min(first + warm + measured, limit); }

std::optional<Rate> rate_of(const std::vector<const Arrivals*>& streams, const Window& window, Ending ending) {
  Ns first = 0, last = 0;
  for (const Arrivals* one : streams) {
    if (one->empty()) continue;
    first = first == 0 ? one->first() : std::min(first, one->first());
    last = std::max(last, one->last());
  }
  if (first == 0) return std::nullopt;
  Ns begin = first + window.warm, end = window.end_after(first);
  if (last < end && ending == Ending::unknown) return std::nullopt;
  if (last < end && ending == Ending::complete) {
    end = last;
    if (end - begin < window.measured / 3) begin = std::min(begin, first + (last - first) / 3);
  }
  if (end - begin < kShortestWindow) return std::nullopt;
  double bytes = 0;
  for (const Arrivals* one : streams) bytes += one->bytes_at(end) - one->bytes_at(begin);
  const auto length = static_cast<double>(end - begin);
  return Rate{bytes * 8 / length, static_cast<std::uint64_t>(std::llround(bytes)), length * 1e-6};
}

}  // namespace gpumark::link
