// Sends one direction: a thread per stream writes a constant pattern until stopped.
#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "link/monotonic.h"

namespace gpumark::link {

class Sender {
 public:
  /** Ends at `until`, or after `cap` bytes over all streams (0: no cap). The caller keeps the descriptors. */
  Sender(const std::vector<int>& streams, Ns until, std::uint64_t cap);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /** All threads have stopped sending. */
  bool finished() const { return running_ == 0; }
  /** -1: no error; otherwise an errno. */
  int error() const { return error_; }
  void stop();
  /** Bytes written per stream; call after stop(). */
  std::vector<std::uint64_t> sent() const;

 private:
  struct Stream {
    int fd = -1;
    std::uint64_t sent = 0;
    std::thread thread;
  };
  void run(Stream& stream);
  void send_until_end(Stream& stream);
  /** Reserves up to `bytes` of what remains of the cap. */
  std::size_t reserve(std::size_t bytes);

  Ns until_;
  bool capped_;
  std::atomic<std::int64_t> left_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> running_;
  std::atomic<int> error_{-1};
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace gpumark::link
