#include "cpu/thread-pool.h"

#include <algorithm>
#include <climits>
#include <csignal>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure/time.h"

namespace gpumark {
namespace {

inline void pause_once() {
#if defined(__x86_64__)
  __asm__ volatile("pause");
#else
  __asm__ volatile("yield");
#endif
}

void sleep_while_equal(std::atomic<int>& word, int value) {
  syscall(SYS_futex, reinterpret_cast<int*>(&word), FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void wake_all(std::atomic<int>& word) {
  syscall(SYS_futex, reinterpret_cast<int*>(&word), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

bool pin_to(int cpu) {
  const std::size_t size = CPU_ALLOC_SIZE(cpu + 1);
  cpu_set_t* set = CPU_ALLOC(cpu + 1);
  CPU_ZERO_S(size, set);
  CPU_SET_S(cpu, size, set);
  const bool done = pthread_setaffinity_np(pthread_self(), size, set) == 0;
  CPU_FREE(set);
  return done;
}

}  // namespace

void Barrier::wait() {
  const int generation = generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.store(generation + 1, std::memory_order_release);
    return;
  }
  for (int spins = 0; generation_.load(std::memory_order_acquire) == generation; ++spins) {
    // About 50 us of spinning; after that the other thread has probably been descheduled and may need this CPU.
    spins < 2000 ? pause_once() : static_cast<void>(sched_yield());
  }
}

ThreadPool::ThreadPool(const std::vector<int>& cpus) : cpus_(cpus), barrier_(static_cast<int>(cpus.size())) {
  // Signals go to the main thread alone.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running_ = static_cast<int>(cpus.size());
  for (std::size_t i = 0; i < cpus.size(); ++i)
    workers_.emplace_back([this, i, cpu = cpus[i]] { serve(static_cast<int>(i), cpu); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (int left; (left = running_.load(std::memory_order_acquire)) != 0;) sleep_while_equal(running_, left);
}

ThreadPool::~ThreadPool() {
  closing_ = true;
  submitted_.fetch_add(1, std::memory_order_release);
  wake_all(submitted_);
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(const std::function<void(int)>& work) {
  work_ = &work;
  running_.store(size(), std::memory_order_relaxed);
  submitted_.fetch_add(1, std::memory_order_release);
  wake_all(submitted_);
  for (int left; (left = running_.load(std::memory_order_acquire)) != 0;) sleep_while_equal(running_, left);
}

double ThreadPool::run_timed(const std::function<void(int)>& work) {
  struct alignas(64) Span {
    double start, end, core;
  };
  std::vector<Span> spans(workers_.size());
  run([&](int thread) {
    barrier_.wait();
    Span& span = spans[static_cast<std::size_t>(thread)];
    const double core = thread_cpu_seconds();
    span.start = now_seconds();
    work(thread);
    span.end = now_seconds();
    span.core = thread_cpu_seconds() - core;
  });
  double start = spans[0].start, end = spans[0].end;
  for (const Span& span : spans) {
    start = std::min(start, span.start);
    end = std::max(end, span.end);
    timed_seconds_ += span.end - span.start;
    // The two clocks are read one after the other, so CPU time can exceed elapsed time slightly: clamp it.
    core_seconds_ += std::min(span.core, span.end - span.start);
  }
  return end - start;
}

std::optional<double> ThreadPool::take_core_share() {
  if (timed_seconds_ <= 0) return std::nullopt;
  const double share = core_seconds_ / timed_seconds_;
  timed_seconds_ = core_seconds_ = 0;
  return share;
}

void ThreadPool::serve(int thread, int cpu) {
  if (!pin_to(cpu)) ++pin_failures_;
  for (int seen = 0;;) {
    // The first pass only reports that the thread is up and pinned.
    if (seen != 0) {
      if (closing_) return;
      (*work_)(thread);
    }
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_all(running_);
    for (int spins = idle_spins_; spins > 0 && submitted_.load(std::memory_order_acquire) == seen; --spins)
      pause_once();
    while (submitted_.load(std::memory_order_acquire) == seen) sleep_while_equal(submitted_, seen);
    ++seen;
  }
}

}  // namespace gpumark
