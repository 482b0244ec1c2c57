// An authenticated connection that carries short messages between two agents, for external measuring tools.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "link/slot-plan.h"
#include "link/socket.h"
#include "link/stop-flag.h"

namespace gpumark::link {

inline constexpr std::size_t kMostSaid = 8192;
/** Limits: messages waiting to be sent, and messages accepted from the other end. */
inline constexpr std::size_t kMostWaiting = 64;
inline constexpr std::uint64_t kMostHeard = 4096;

class Channel {
 public:
  explicit Channel(const SlotPlan& plan);
  /** Queues a message. Thread-safe; false if too many are waiting. */
  bool say(std::string text);
  void hang_up();
  /** Relays messages in both directions until either end hangs up or violates the protocol, or the slot is over. */
  void run(Socket connection, const StopFlag& stop, const std::function<void(const std::string&)>& heard);

 private:
  /** False once the connection is broken. */
  bool send_waiting(int fd);
  /**
   * Moves the next message into `unsent_`, one at a time: if the other end does not read, the queue fills up and `say`
   * fails.
   */
  bool next_frame();
  bool read_frames(int fd, const std::function<void(const std::string&)>& heard);
  Digest mac(Role sender, std::uint64_t number, const std::string& text) const;
  void wake() const;

  const SlotPlan& plan_;
  Socket wake_;
  std::mutex mutex_;
  std::deque<std::string> waiting_;
  bool hanging_up_ = false;
  std::string unsent_;
  std::string unread_;
  std::uint64_t said_ = 0;
  std::uint64_t heard_ = 0;
};

}  // namespace gpumark::link
