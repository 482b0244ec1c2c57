// clock_ghz: the clock of the participating cores while all of them are busy.
#include <algorithm>

#include "cpu/clock-chain.h"
#include "cpu/cpu-context.h"

namespace gpumark {
namespace {

/** One kind of chain on all workers: the mean of each slice, and the best of any worker. */
template <class Chain>
class ChainClock {
 public:
  ChainClock(ThreadPool& pool, Chain chain) : pool_(pool), chain_(chain), ghz_(static_cast<std::size_t>(pool.size())) {}

  double slice() {
    pool_.run_timed([this](int thread) { ghz_[static_cast<std::size_t>(thread)] = chain_(); });
    double sum = 0;
    for (const double one : ghz_) {
      sum += one;
      best_ = std::max(best_, one);
    }
    return sum / pool_.size();
  }
  double best() const { return best_; }

 private:
  ThreadPool& pool_;
  Chain chain_;
  std::vector<double> ghz_;
  double best_ = 0;
};

}  // namespace

void measure_clock(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  // About 1 ms per slice at 4 GHz: short enough that even on a busy machine some slices run without an interruption.
  constexpr std::uint64_t kRounds = 60000;
  const double seconds = cpu.options.seconds(spec);
  ChainClock adds(cpu.pool, [] { return add_chain_ghz(kRounds); });
#if defined(__x86_64__)
  ChainClock multiplies(cpu.pool, [] { return multiply_chain_ghz(kRounds / 3); });
#endif
  collect(seconds * 0.3, 1, 100000, [&] { return adds.slice(); });
  const std::vector<double> ghz = recorder.series(seconds * 0.7, 10, 5000, [&] {
    const double one = adds.slice();
    recorder.sample("clock_ghz", one);
#if defined(__x86_64__)
    multiplies.slice();
#endif
    return one;
  });
  if (ghz.size() < 3) return;
  recorder.note_rates(ghz);
  Result r;
  r.metric = "clock_ghz";
  r.stats = summarize(ghz);
  r.value = r.stats->median;
  r.details.text("method", "chain of dependent register adds, one cycle each, on all threads at once")
      .integer("threads", cpu.pool.size());
#if defined(__x86_64__)
  // Two chains of different latency agree only if both latencies are as assumed. The best slices are compared, because
  // a disturbance can only slow a chain down.
  r.details.number("best_ghz", adds.best()).number("multiply_chain_best_ghz", multiplies.best());
  if (multiplies.best() > 0.95 * adds.best() && multiplies.best() < 1.05 * adds.best()) {
    r.verified = true;
  } else {
    r.value.reset();
    r.reason = "two instruction chains of known latency disagree, so the clock cannot be derived from either";
  }
#endif
  recorder.result(r);
}

}  // namespace gpumark
