// The 64-byte messages on connection 0 of a slot: pings, and the bytes sent and received.
#pragma once
#include <array>
#include <cstdint>
#include <cstddef>

#include "link/monotonic.h"

namespace gpumark::link {

inline constexpr std::size_t kMessageBytes = 64;

enum class Word : std::uint8_t {
  /** The listener sends it back as `pong` with the same number. */
  ping = 1,
  pong = 2,
  /** From the receiver of a direction: the window is over, send no more. */
  enough = 3,
  /** From its sender, one per stream: `number` bytes were sent on stream `stream`. */
  sent = 4,
  /** From its receiver: all of them have arrived. */
  drained = 5,
};

enum class Direction : std::uint8_t { forward = 1, reverse = 2 };

struct Message {
  Word word = Word::ping;
  Direction direction = Direction::forward;
  std::uint8_t stream = 0;
  std::uint64_t number = 0;
};

using MessageBytes = std::array<std::uint8_t, kMessageBytes>;
MessageBytes encode(const Message& message);
/** False if these bytes are not a message. */
bool decode(const MessageBytes& bytes, Message& message);

/** One end of connection 0, which it does not own. */
class Control {
 public:
  explicit Control(int fd) : fd_(fd) {}
  int fd() const { return fd_; }
  /** Sends a message. @returns 0 or an errno, after which the connection is unusable */
  int say(const Message& message, Ns deadline);
  enum class Heard { message, nothing, closed };
  /**
   * Receives a message; blocks for at most kBlockedMs, or not at all. If closed, `error` is an errno, or 0 for an
   * orderly close.
   */
  Heard hear(Message& message, bool wait, int& error);

 private:
  int fd_;
  MessageBytes bytes_{};
  std::size_t got_ = 0;
};

}  // namespace gpumark::link
