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
  /** @returns the number of threads that begin this step */
  int arrive() {
    std::unique_lock<std::mutex> hold(mutex_);
    const int step = step_;
    if (++waiting_ >= members_) {
      next();
    } else {
      all_here_.wait(hold, [&] { return step_ != step; });
    }
    return beginning_;
  }
  void leave() {
    const std::lock_guard<std::mutex> hold(mutex_);
    --members_;
    if (members_ > 0 && waiting_ >= members_) next();
  }

 private:
  void next() {
    beginning_ = waiting_;
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
  int beginning_ = 0;
};

}  // namespace gpumark
