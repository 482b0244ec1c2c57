// `gpumark-runner link`: commands on stdin, events on stdout, until stdin ends. The commands are in link/README.md.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "commands.h"
#include "link/link-session.h"
#include "link/sha256.h"
#include "measure/stop.h"
#include "protocol/event-output.h"

namespace gpumark {
namespace {

/** Interval between checks of the stop signal. */
constexpr int kLookMs = 50;
/** Limit for shutting down, needed only if the reader of our stdout has stopped reading. */
constexpr int kLongestEndMs = 900;

std::string congestion_control() {
  std::string name;
  std::ifstream("/proc/sys/net/ipv4/tcp_congestion_control") >> name;
  return name;
}

/** Reads lines from a pipe through one buffer, and wipes each line after use: lines hold keys. */
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  ~LineReader() { link::wipe(buffer_.data(), buffer_.size()); }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /** Reads once; false at the end of input or on an error. */
  bool fill();
  /**
   * The next complete line without its line feed, valid until the next call; false if there is none. Wipes the line
   * before it.
   */
  bool next(std::string_view& line);
  /** True once after a line longer than 64 KiB was dropped. */
  bool dropped();

 private:
  void drop(std::size_t bytes);

  int fd_;
  std::array<char, 65536> buffer_{};
  std::size_t filled_ = 0;
  std::size_t given_ = 0;
  bool skipping_ = false;
  bool dropped_ = false;
};

bool LineReader::fill() {
  if (filled_ == buffer_.size()) {
    dropped_ = !skipping_;
    skipping_ = true;
    drop(filled_);
  }
  const ssize_t n = read(fd_, buffer_.data() + filled_, buffer_.size() - filled_);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  filled_ += static_cast<std::size_t>(n);
  return n > 0;
}

bool LineReader::next(std::string_view& line) {
  drop(given_);
  given_ = 0;
  for (;;) {
    const void* end = std::memchr(buffer_.data(), '\n', filled_);
    if (!end) return false;
    const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data());
    if (!skipping_) {
      line = {buffer_.data(), length};
      given_ = length + 1;
      return true;
    }
    skipping_ = false;
    drop(length + 1);
  }
}

bool LineReader::dropped() { return std::exchange(dropped_, false); }

void LineReader::drop(std::size_t bytes) {
  std::memmove(buffer_.data(), buffer_.data() + bytes, filled_ - bytes);
  link::wipe(buffer_.data() + (filled_ - bytes), bytes);
  filled_ -= bytes;
}

void serve(link::LinkSession& session, link::LinkEvents& events) {
  LineReader reader(0);
  bool more = true;
  while (more && !stop_requested()) {
    pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, kLookMs) > 0) more = reader.fill();
    for (std::string_view line; reader.next(line);) {
      if (!line.empty()) session.execute(line);
    }
    if (reader.dropped()) events.error("", "a line is longer than 64 KiB");
    session.tidy();
  }
}

}  // namespace

int run_link(const CommandLine& line) {
  Emitter emitter(event_output());
  stop_when_reader_leaves(event_output());
  link::LinkEvents events(emitter);
  link::LinkSession session(emitter, line.allow_public);
  events.ready(congestion_control());
  serve(session, events);
  std::thread([] {
    poll(nullptr, 0, kLongestEndMs);
    _exit(output_lost() ? kExitOutputLost : kExitOk);
  }).detach();
  session.stop();
  return output_lost() ? kExitOutputLost : kExitOk;
}

}  // namespace gpumark
