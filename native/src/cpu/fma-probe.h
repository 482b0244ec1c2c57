// One timed slice of multiply-add chains on all workers.
#pragma once
#include <algorithm>

#include "cpu/clock-chain.h"
#include "cpu/cpu-context.h"
#include "cpu/fma-check.h"

namespace gpumark {

/**
 * Short, so that the median is robust against other processes; long compared with starting all workers (microseconds).
 */
constexpr double kFmaSliceSeconds = 0.005;

template <class T>
class FmaProbe {
 public:
  FmaProbe(CpuContext& cpu, const FmaKernel& kernel)
      : cpu_(cpu),
        kernel_(kernel),
        states_(static_cast<std::size_t>(cpu.pool.size()),
                fma_state<T>(kernel, cpu.options.seed, cpu.options.random_data)) {
    for (std::uint64_t trial = 1000; trial < (1ull << 40); trial *= 4) {
      iterations_ = trial;
      const double seconds = cpu_.pool.run_timed([this](int thread) { kernel_.run(iterations_, state(thread)); });
      if (seconds < kFmaSliceSeconds / 4) continue;
      iterations_ = static_cast<std::uint64_t>(static_cast<double>(trial) * kFmaSliceSeconds / seconds) + 1;
      break;
    }
  }

  /** TFLOP/s of one slice on all threads; a multiply-add is two operations. */
  double slice() {
    const double seconds = cpu_.pool.run_timed([this](int thread) { kernel_.run(iterations_, state(thread)); });
    const double flops =
        2.0 * static_cast<double>(iterations_) * kernel_.accumulators * kernel_.lanes * cpu_.pool.size();
    return flops / seconds * 1e-12;
  }

 private:
  void* state(int thread) { return states_[static_cast<std::size_t>(thread)].data(); }

  CpuContext& cpu_;
  const FmaKernel& kernel_;
  std::vector<std::vector<T>> states_;
  std::uint64_t iterations_ = 0;
};

/** The clock right after a slice, in the same power state: wide vectors may run at a lower clock than scalar code. */
inline double clock_now(ThreadPool& pool) {
  std::vector<double> ghz(static_cast<std::size_t>(pool.size()));
  pool.run_timed([&](int thread) { ghz[static_cast<std::size_t>(thread)] = add_chain_ghz(60000); });
  return *std::max_element(ghz.begin(), ghz.end());
}

}  // namespace gpumark
