// Receives one direction: a thread per stream that counts what comes.
#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "link/arrivals.h"

namespace gpumark::link {

class Receiver {
 public:
  /** The descriptors stay the caller's and open for as long as this lives. */
  explicit Receiver(const std::vector<int>& streams);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  /** When the first byte of any stream came; 0: none has. */
  Ns first() const { return first_; }
  /** Stream `index` ends after so many bytes. */
  void expect(std::size_t index, std::uint64_t bytes);
  /** Every stream was told its end. */
  bool told() const;
  /** Every stream has come to the end it was told. */
  bool drained() const;
  /** -1 while all is well; 0: a peer closed before its end; else an errno. */
  int error() const { return error_; }
  /** Stops the threads. What follows holds only afterwards. */
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
