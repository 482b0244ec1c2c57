// The three arrays of the STREAM-rule kernels, each share first touched by the worker that uses it.
#pragma once
#include <algorithm>
#include <cstring>

#include "cpu/cpu-context.h"
#include "cpu/host-memory.h"
#include "measure/random.h"

namespace gpumark {

class StreamArrays {
 public:
  StreamArrays(CpuContext& cpu, std::size_t n)
      : cpu_(cpu), n_(n), a_(n * sizeof(double)), b_(n * sizeof(double)), c_(n * sizeof(double)) {
    if (!*this) return;
    // Dyadic values: triad and sums are exact, so every element can be checked by equality.
    each([this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        b()[i] = cpu_.options.random_data ? random_dyadic(cpu_.options.seed, i) : 0;
        c()[i] = cpu_.options.random_data ? random_dyadic(cpu_.options.seed + 1, i) : 0;
      }
      std::memset(a() + begin, 0xff, (end - begin) * sizeof(double));
    });
  }
  explicit operator bool() const { return a_ && b_ && c_; }
  double* a() const { return a_.as<double>(); }
  double* b() const { return b_.as<double>(); }
  double* c() const { return c_.as<double>(); }

  /** Runs body(begin, end) on each worker's share; returns seconds. */
  template <class Body>
  double each(Body body) {
    return cpu_.pool.run_timed([&](int thread) {
      const Share share = share_of(n_, thread, cpu_.pool.size(), 4096);
      body(share.begin, share.end);
    });
  }
  /** True when expected(i) == a[i] for every element. */
  template <class Expected>
  bool holds(Expected expected) {
    std::vector<char> right(static_cast<std::size_t>(cpu_.pool.size()), 1);
    cpu_.pool.run([&](int thread) {
      const Share share = share_of(n_, thread, cpu_.pool.size(), 4096);
      for (std::size_t i = share.begin; i < share.end; ++i) {
        if (!(a()[i] == expected(i))) right[static_cast<std::size_t>(thread)] = 0;
      }
    });
    return std::find(right.begin(), right.end(), 0) == right.end();
  }
  void poison() {
    each(
        [this](std::size_t begin, std::size_t end) { std::memset(a() + begin, 0xff, (end - begin) * sizeof(double)); });
  }

 private:
  CpuContext& cpu_;
  std::size_t n_;
  HostMemory a_, b_, c_;
};

}  // namespace gpumark
