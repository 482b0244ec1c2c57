// clock_ghz: the clock of the participating cores while all of them are busy.
#include "cpu/clock-chain.h"
#include "cpu/cpu-context.h"

namespace gpumark {
namespace {

/** Mean over the workers of what `chain` gives. */
template <class Chain>
double mean_ghz(ThreadPool& pool, Chain chain) {
  std::vector<double> ghz(static_cast<std::size_t>(pool.size()));
  pool.run_timed([&](int thread) { ghz[static_cast<std::size_t>(thread)] = chain(); });
  double sum = 0;
  for (const double one : ghz) sum += one;
  return sum / pool.size();
}

}  // namespace

void measure_clock(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  // About 5 ms per slice at 4 GHz: short enough that most slices escape an interrupt by another process.
  constexpr std::uint64_t kRounds = 300000;
  const double seconds = spec.seconds(cpu.options.tier);
  collect(seconds * 0.3, 1, 100000, [&] { return mean_ghz(cpu.pool, [] { return add_chain_ghz(kRounds); }); });
  const std::vector<double> ghz = collect(seconds * 0.5, 10, 5000, [&] {
    const double one = mean_ghz(cpu.pool, [] { return add_chain_ghz(kRounds); });
    recorder.sample("clock_ghz", one);
    return one;
  });
  if (ghz.size() < 3) return;
  recorder.note_rates(ghz);
  Result r;
  r.metric = "clock_ghz";
  r.stats = summarize(ghz);
  r.value = r.stats->median;
  r.details.text("method", "chain of dependent register adds, one cycle each, on all threads at once").integer("threads", cpu.pool.size());
#if defined(__x86_64__)
  const std::vector<double> check = collect(seconds * 0.2, 5, 1000, [&] { return mean_ghz(cpu.pool, [] { return multiply_chain_ghz(kRounds / 3); }); });
  const double multiply_ghz = summarize(check).median;
  r.details.number("multiply_chain_ghz", multiply_ghz);
  // Two chains of different latency agree only if both latencies are what we take them for.
  if (!check.empty()) r.verified = multiply_ghz > 0.95 * *r.value && multiply_ghz < 1.05 * *r.value;
#endif
  recorder.result(r);
}

}  // namespace gpumark
