// Receives the authenticated connections of one listening slot from the gate.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "link/monotonic.h"
#include "link/socket.h"

namespace gpumark::link {

class Inbox {
 public:
  void put(std::uint8_t stream, int fd) {
    Socket socket(fd);
    const std::lock_guard<std::mutex> hold(mutex_);
    if (!closed_) arrived_[stream] = std::move(socket);
    changed_.notify_all();
  }
  /** The connection of a stream, waiting until `until`; an empty socket if it did not arrive. */
  Socket take(std::uint8_t stream, Ns until) {
    std::unique_lock<std::mutex> hold(mutex_);
    const std::chrono::steady_clock::time_point then{std::chrono::nanoseconds(until)};
    changed_.wait_until(hold, then, [&] { return closed_ || arrived_.count(stream) > 0; });
    const auto found = arrived_.find(stream);
    if (found == arrived_.end()) return {};
    Socket socket = std::move(found->second);
    arrived_.erase(found);
    return socket;
  }
  /** Closes connections that have arrived or still arrive. */
  void close() {
    const std::lock_guard<std::mutex> hold(mutex_);
    closed_ = true;
    arrived_.clear();
    changed_.notify_all();
  }
  void suspect() { suspected_ = true; }
  bool suspected() const { return suspected_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint8_t, Socket> arrived_;
  bool closed_ = false;
  std::atomic<bool> suspected_{false};
};

}  // namespace gpumark::link
