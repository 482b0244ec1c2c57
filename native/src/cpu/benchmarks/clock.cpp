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
  const auto adds = [&] { return mean_ghz(cpu.pool, [] { return add_chain_ghz(kRounds); }); };
  collect(seconds * 0.3, 1, 100000, adds);
  std::vector<double> check;
  const std::vector<double> ghz = collect(seconds * 0.7, 10, 5000, [&] {
    const double one = adds();
    recorder.sample("clock_ghz", one);
#if defined(__x86_64__)
    check.push_back(mean_ghz(cpu.pool, [] { return multiply_chain_ghz(kRounds / 3); }));
#endif
    return one;
  });
  if (ghz.size() < 3) return;
  recorder.note_rates(ghz);
  Result r;
  r.metric = "clock_ghz";
  r.stats = summarize(ghz);
  r.value = r.stats->median;
  r.details.text("method", "chain of dependent register adds, one cycle each, on all threads at once").integer("threads", cpu.pool.size());
  if (!check.empty()) {
    // Two chains of different latency agree only if both latencies are what we take them for. Their best slices are
    // compared, because a disturbance can only slow a chain down.
    const Statistics multiplies = summarize(check);
    r.details.number("multiply_chain_ghz", multiplies.median);
    if (multiplies.max > 0.95 * r.stats->max && multiplies.max < 1.05 * r.stats->max) {
      r.verified = true;
    } else {
      r.value.reset();
      r.reason = "two instruction chains of known latency disagree, so neither latency can be trusted on this processor";
    }
  }
  recorder.result(r);
}

}  // namespace gpumark
