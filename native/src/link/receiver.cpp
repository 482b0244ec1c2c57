#include "link/receiver.h"

#include <algorithm>

#include "link/socket.h"

namespace gpumark::link {
namespace {

constexpr std::size_t kBuffer = 1 << 20;

}  // namespace

Receiver::Receiver(const std::vector<int>& streams) {
  for (const int fd : streams) {
    streams_.push_back(std::make_unique<Stream>());
    streams_.back()->fd = fd;
  }
  for (const auto& stream : streams_) {
    Stream& one = *stream;
    one.thread = std::thread([this, &one] { run(one); });
  }
}

Receiver::~Receiver() { stop(); }

void Receiver::stop() {
  stopping_ = true;
  for (const auto& stream : streams_) {
    if (stream->thread.joinable()) stream->thread.join();
  }
}

void Receiver::expect(std::size_t index, std::uint64_t bytes) {
  if (index < streams_.size()) streams_[index]->expected = static_cast<std::int64_t>(bytes);
}

bool Receiver::told() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& one) { return one->expected >= 0; });
}

bool Receiver::drained() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& one) { return one->expected == one->total; });
}

void Receiver::run(Stream& stream) {
  std::vector<char> buffer(kBuffer);
  std::uint64_t total = 0;
  while (!stopping_ && stream.expected != static_cast<std::int64_t>(total)) {
    // Returns after kBlockedMs at the latest.
    const ssize_t n = recv(stream.fd, buffer.data(), buffer.size(), 0);
    if (n > 0) {
      const Ns now = now_ns();
      Ns none = 0;
      if (total == 0) first_.compare_exchange_strong(none, now);
      total += static_cast<std::uint64_t>(n);
      stream.arrivals.add(now, total);
      stream.total.store(static_cast<std::int64_t>(total), std::memory_order_release);
    } else if (n == 0 || !would_block(errno)) {
      int well = -1;
      error_.compare_exchange_strong(well, n == 0 ? 0 : errno);
      return;
    }
  }
}

std::optional<Rate> Receiver::rate(const Window& window) const {
  std::vector<const Arrivals*> arrivals;
  for (const auto& one : streams_) arrivals.push_back(&one->arrivals);
  const bool watched = told() && now_ns() >= window.end_after(first());
  return rate_of(arrivals, window, drained() ? Ending::complete : watched ? Ending::stalled : Ending::unknown);
}

}  // namespace gpumark::link
