// Pinned worker threads and a barrier. The caller never computes: it submits and sleeps, so N threads mean N pinned
// cores.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace gpumark {

/** Waits for all `count` threads; spins first, then yields, so that a busy machine still makes progress. */
class Barrier {
 public:
  explicit Barrier(int count) : count_(count) {}
  void wait();

 private:
  const int count_;
  std::atomic<int> arrived_{0};
  std::atomic<int> generation_{0};
};

class ThreadPool {
 public:
  /** One worker per entry, pinned to that CPU (an unpinnable one runs where the system puts it; see pinned()). */
  explicit ThreadPool(const std::vector<int>& cpus);
  ~ThreadPool();
  int size() const { return static_cast<int>(workers_.size()); }
  /** The CPU that the worker is pinned to. */
  int cpu_of(int thread) const { return cpus_[static_cast<std::size_t>(thread)]; }
  bool pinned() const { return pin_failures_ == 0; }
  Barrier& barrier() { return barrier_; }

  /** Runs work(thread) on every worker and returns when all are done. */
  void run(const std::function<void(int)>& work);
  /** The same with a common start; returns seconds from the first worker's start to the last one's end. */
  double run_timed(const std::function<void(int)>& work);
  /** CPU time over elapsed time of the timed work since the last call; nullopt without timed work. */
  std::optional<double> take_core_share();
  /** How many times an idle worker polls for work before it sleeps; 0 = sleeps at once. */
  void set_idle_spins(int spins) { idle_spins_ = spins; }

 private:
  void serve(int thread, int cpu);

  const std::vector<int> cpus_;
  Barrier barrier_;
  std::vector<std::thread> workers_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<int> submitted_{0};
  std::atomic<int> running_{0};
  std::atomic<int> idle_spins_{0};
  std::atomic<int> pin_failures_{0};
  std::atomic<bool> closing_{false};
  double timed_seconds_ = 0;
  double core_seconds_ = 0;
};

}  // namespace gpumark
