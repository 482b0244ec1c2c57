// Ends the process when its time is over, whatever call it hangs in: NCCL waits without limit for a peer that never
// comes.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "protocol/emitter.h"

namespace gpumark {

class Watchdog {
 public:
  /** @param deadline on the clock of now_seconds() */
  Watchdog(double deadline, Emitter& emitter);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  double deadline() const { return deadline_; }
  /** What is under way, for the reason: "waiting for the other nodes". */
  void now_doing(const std::string& stage);
  /**
   * From here on, faults that `fault` tells end the process too, and `abort` is called before it ends. Both hold until
   * closing().
   */
  void watch(std::function<std::string()> fault, std::function<void()> abort);
  /** Says why, aborts what is under way, and ends the process with its summary. For the main thread. */
  [[noreturn]] void fail(const Failure& failure, int exit_code);
  /**
   * The main thread takes over the last word. Returns only if the watchdog has not taken it: then there are `seconds`
   * left until the process ends with `exit_code` and its summary, if it does not get there by itself. What watch() was
   * given is not called any more.
   */
  void closing(double seconds, int exit_code);

 private:
  void run();
  /** True for the one that asks first. */
  bool take_last_word() { return !taken_.exchange(true); }
  void take_last_word_or_wait();
  [[noreturn]] void end(const Failure* failure, int exit_code);
  void abort_within_limit();

  Emitter& emitter_;
  std::atomic<double> deadline_;
  std::atomic<bool> taken_{false}, over_{false};
  std::atomic<int> closing_code_{-1};
  std::mutex mutex_;
  std::string stage_ = "starting";
  std::function<std::string()> fault_;
  std::function<void()> abort_;
  std::thread thread_;
};

}  // namespace gpumark
