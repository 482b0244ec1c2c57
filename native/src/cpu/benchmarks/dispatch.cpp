// kernel_launch_overhead_us: time to run an empty job on all workers: submit, wake, join.
#include "cpu/cpu-context.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Empty jobs per sample: one alone would mostly show the timer. */
constexpr int kBatch = 100;

double microseconds_per_job(ThreadPool& pool) {
  const std::function<void(int)> nothing = [](int) {};
  const double start = now_seconds();
  for (int i = 0; i < kBatch; ++i) pool.run(nothing);
  return (now_seconds() - start) / kBatch * 1e6;
}

}  // namespace

void measure_dispatch(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const double seconds = cpu.options.seconds(spec);
  cpu.pool.set_idle_spins(0);
  collect(seconds * 0.2, 1, 1000, [&] { return microseconds_per_job(cpu.pool); });
  const std::vector<double> parked = recorder.series(seconds * 0.5, 10, 20000, [&] {
    const double us = microseconds_per_job(cpu.pool);
    recorder.sample("kernel_launch_overhead_us", us);
    return us;
  });
  cpu.pool.set_idle_spins(100000);
  microseconds_per_job(cpu.pool);
  const std::vector<double> spinning =
      collect(seconds * 0.3, 10, 20000, [&] { return microseconds_per_job(cpu.pool); });
  cpu.pool.set_idle_spins(0);
  if (parked.size() < 3) return;
  Result r;
  r.metric = "kernel_launch_overhead_us";
  r.stats = summarize(parked);
  r.value = r.stats->median;
  r.details.text("method", "empty job to all pinned workers: submit, wake from futex, join")
      .integer("threads", cpu.pool.size())
      .integer("jobs_per_sample", kBatch);
  if (!spinning.empty()) r.details.number("spinning_workers_us", summarize(spinning).median);
  recorder.result(r);
}

}  // namespace gpumark
