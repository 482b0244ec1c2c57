// Receives one direction: a thread per stream counts the bytes.
#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "link/arrivals.h"

namespace gpumark::link {

class Receiver {
 public:
  /** The caller keeps the descriptors, and keeps them open for the lifetime of this object. */
  explicit Receiver(const std::vector<int>& streams);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  /** When the first byte of any stream arrived; 0: none has. */
  Ns first() const { return first_; }
  /** Stream `index` ends after `bytes` bytes. */
  void expect(std::size_t index, std::uint64_t bytes);
  /** The end of every stream is known. */
  bool told() const;
  /** Every stream has reached its end. */
  bool drained() const;
  /** -1: no error; 0: the peer closed a stream before its end; otherwise an errno. */
  int error() const { return error_; }
  /** Stops the threads. The members below may be used only afterwards. */
  void stop();
  std::optional<Rate> rate(const Window& window) const;

 private:
  struct Stream {
    int fd = -1;
    Arrivals arrivals;
    std::atomic<std::int64_t> expected{-1};
    std::atomic<std::int64_t> total{0};
    std::thread thread;
  };
  void run(Stream& stream);

  std::vector<std::unique_ptr<Stream>> streams_;
  std::atomic<Ns> first_{0};
  std::atomic<int> error_{-1};
  std::atomic<bool> stopping_{false};
};

}  // namespace gpumark::link
