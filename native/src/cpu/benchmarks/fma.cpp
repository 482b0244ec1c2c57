// fma_fp32_tflops, fma_fp64_tflops: what the vector units do when nothing has to be loaded.
#include <algorithm>

#include "cpu/clock-chain.h"
#include "cpu/cpu-context.h"
#include "cpu/fma-check.h"
#include "measure/fault.h"

namespace gpumark {
namespace {

constexpr double kSliceSeconds = 0.02;

template <class T>
class FmaProbe {
 public:
  FmaProbe(CpuContext& cpu, const FmaKernel& kernel)
      : cpu_(cpu), kernel_(kernel), states_(static_cast<std::size_t>(cpu.pool.size()), fma_state<T>(kernel, cpu.options.seed, cpu.options.random_data)) {
    for (std::uint64_t trial = 1000; trial < (1ull << 40); trial *= 4) {
      iterations_ = trial;
      const double seconds = cpu_.pool.run_timed([this](int thread) { kernel_.run(iterations_, state(thread)); });
      if (seconds < kSliceSeconds / 4) continue;
      iterations_ = static_cast<std::uint64_t>(static_cast<double>(trial) * kSliceSeconds / seconds) + 1;
      break;
    }
  }

  /** TFLOP/s of one slice on all threads; a multiply-add is two operations. */
  double slice() {
    const double seconds = cpu_.pool.run_timed([this](int thread) { kernel_.run(iterations_, state(thread)); });
    const double flops = 2.0 * static_cast<double>(iterations_) * kernel_.accumulators * kernel_.lanes * cpu_.pool.size();
    return flops / seconds * 1e-12;
  }

 private:
  void* state(int thread) { return states_[static_cast<std::size_t>(thread)].data(); }

  CpuContext& cpu_;
  const FmaKernel& kernel_;
  std::vector<std::vector<T>> states_;
  std::uint64_t iterations_ = 0;
};

/** The clock right after a slice, under the same power state: wide vectors may run slower than scalar code. */
double clock_now(ThreadPool& pool) {
  std::vector<double> ghz(static_cast<std::size_t>(pool.size()));
  pool.run_timed([&](int thread) { ghz[static_cast<std::size_t>(thread)] = add_chain_ghz(60000); });
  return *std::max_element(ghz.begin(), ghz.end());
}

template <class T>
void measure_one(CpuContext& cpu, const FmaKernel& kernel, const char* metric, double seconds, Recorder& recorder) {
  FmaProbe<T> probe(cpu, kernel);
  collect(seconds * 0.4, 1, 1000000, [&] { return probe.slice(); });
  std::vector<double> clocks;
  const std::vector<double> rates = collect(seconds * 0.6, 10, 50000, [&] {
    const double rate = probe.slice();
    recorder.sample(metric, rate);
    clocks.push_back(clock_now(cpu.pool));
    return rate;
  });
  if (rates.size() < 3) return;
  recorder.note_rates(rates);
  Result r;
  r.metric = metric;
  r.stats = summarize(rates);
  r.value = r.stats->median;
  const double ghz = summarize(clocks).median;
  r.details.text("isa", cpu.kernels.isa).integer("lanes", kernel.lanes).integer("chains", kernel.accumulators);
  r.details.integer("threads", cpu.pool.size()).text("data", cpu.data_name()).number("clock_ghz", ghz);
  r.details.number("flops_per_cycle_per_thread", *r.value * 1e3 / ghz / cpu.pool.size());
  const bool right = fma_kernel_is_right<T>(kernel, cpu.options.seed, 37, [](std::vector<T>& out) { spoil_output("fma", out.data(), out.size() * sizeof(T)); });
  r.verified = right;
  if (right) return recorder.result(r);
  recorder.wrong(metric, "the multiply-add chains differ from scalar arithmetic", r.details);
}

}  // namespace

void measure_fma(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const double seconds = spec.seconds(cpu.options.tier) / 2;
  measure_one<float>(cpu, cpu.kernels.fma_fp32, "fma_fp32_tflops", seconds, recorder);
  measure_one<double>(cpu, cpu.kernels.fma_fp64, "fma_fp64_tflops", seconds, recorder);
}

}  // namespace gpumark
