// Lets several threads begin each step together. A thread that leaves is no longer waited for.
#pragma once
#include <condition_variable>
#include <mutex>

namespace gpumark {

class Barrier {
 public:
  explicit Barrier(int size) : size_(size), members_(size) {}
  /** The number of threads it was created for. */
  int size() const { return size_; }
  void arrive() {
    std::unique_lock<std::mutex> hold(mutex_);
    const int step = step_;
    if (++waiting_ >= members_) return next();
    all_here_.wait(hold, [&] { return step_ != step; });
  }
  void leave() {
    const std::lock_guard<std::mutex> hold(mutex_);
    --members_;
    if (members_ > 0 && waiting_ >= members_) next();
  }

 private:
  void next() {
    waiting_ = 0;
    ++step_;
    all_here_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable all_here_;
  const int size_;
  int members_;
  int waiting_ = 0;
  int step_ = 0;
};

}  // namespace gpumark
