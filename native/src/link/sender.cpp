#include "link/sender.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "link/pace.h"
#include "link/socket.h"
#include "link/tcp-counters.h"

namespace gpumark::link {
namespace {

/** Never data of the host. Filled, because untouched memory would all map to the kernel's zero page. */
const std::vector<char>& payload() {
  static const std::vector<char> pattern(1 << 20, 'g');
  return pattern;
}

/** Bytes in the socket that the other end has not acknowledged, whether sent or not. */
std::size_t unacknowledged(int fd) {
  int bytes = 0;
  return ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

Sender::Sender(const std::vector<int>& streams, Ns until, std::uint64_t cap)
    : until_(until),
      capped_(cap > 0),
      left_(static_cast<std::int64_t>(cap)),
      running_(static_cast<int>(streams.size())) {
  payload();
  for (const int fd : streams) {
    streams_.push_back(std::make_unique<Stream>());
    streams_.back()->fd = fd;
  }
  for (const auto& stream : streams_) {
    Stream& one = *stream;
    one.thread = std::thread([this, &one] { run(one); });
  }
}

Sender::~Sender() { stop(); }

void Sender::stop() {
  stopping_ = true;
  for (const auto& stream : streams_) {
    if (stream->thread.joinable()) stream->thread.join();
  }
}

std::vector<std::uint64_t> Sender::sent() const {
  std::vector<std::uint64_t> bytes;
  for (const auto& stream : streams_) bytes.push_back(stream->sent);
  return bytes;
}

std::size_t Sender::reserve(std::size_t bytes) {
  if (!capped_) return bytes;
  const auto want = static_cast<std::int64_t>(bytes);
  const std::int64_t before = left_.fetch_sub(want);
  if (before >= want) return bytes;
  const std::int64_t granted = std::max<std::int64_t>(before, 0);
  left_ += want - granted;
  return static_cast<std::size_t>(granted);
}

void Sender::run(Stream& stream) {
  send_until_end(stream);
  --running_;
}

void Sender::send_until_end(Stream& stream) {
  Pace pace(now_ns(), static_cast<int>(streams_.size()));
  while (!stopping_) {
    const Ns now = now_ns();
    if (now >= until_) return;
    if (pace.due(now))
      pace.look(now, stream.sent - std::min<std::uint64_t>(stream.sent, unacknowledged(stream.fd)),
                min_rtt_of(stream.fd));
    std::size_t want = pace.write_bytes();
    if (pace.limited()) {
      const std::size_t queued = unacknowledged(stream.fd);
      if (queued >= pace.most()) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(pace.pause()));
        continue;
      }
      want = std::min(want, pace.most() - queued);
    }
    want = reserve(want);
    if (want == 0) return;
    // Returns after kBlockedMs at the latest, perhaps with a partial write.
    const ssize_t n = send(stream.fd, payload().data(), want, MSG_NOSIGNAL);
    if (n > 0) stream.sent += static_cast<std::uint64_t>(n);
    if (capped_ && n < static_cast<ssize_t>(want)) left_ += static_cast<std::int64_t>(want) - std::max<ssize_t>(n, 0);
    if (n < 0 && !would_block(errno)) {
      int well = -1;
      error_.compare_exchange_strong(well, errno);
      return;
    }
  }
}

}  // namespace gpumark::link
