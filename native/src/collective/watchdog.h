// Ends the process at its deadline, whatever call it hangs in: NCCL waits without a timeout for a peer that never
// joins.
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
  /** Sets the current stage, for messages: "waiting for the other nodes". */
  void set_stage(const std::string& stage);
  /** Until closing(), a fault reported by `fault` also ends the process, and `abort` is called before it ends. */
  void watch(std::function<std::string()> fault, std::function<void()> abort);
  /** Reports the failure, aborts operations in progress, and ends the process with its summary. For the main thread. */
  [[noreturn]] void fail(const Failure& failure, int exit_code);
  /**
   * The main thread claims the right to end the process; returns only if the watchdog has not claimed it before. If the
   * process has not ended after `seconds`, the watchdog ends it with `exit_code` and its summary. The callbacks given
   * to watch() are no longer called.
   */
  void closing(double seconds, int exit_code);

 private:
  void run();
  /** True for the first caller only: that thread ends the process. */
  bool claim_exit() { return !taken_.exchange(true); }
  void claim_exit_or_wait();
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
