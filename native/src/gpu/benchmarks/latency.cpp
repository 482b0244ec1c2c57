// memory_latency_ns, l2_latency_ns: one thread chases pointers in pseudo-random order, each load depending on the one
// before. Over at least 256 MiB, on AMD 1 GiB: four times its largest last-level cache, after the caches were filled
// with other data; the near walk over at most 0.4 of L2. The end of the chain must be the computed one. The figures
// include address translation.
#include <algorithm>

#include "gpu/gpu-check.h"
#include "gpu/vendor.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr std::size_t kLineBytes = device::kLineWords * sizeof(std::uint64_t);
constexpr std::size_t kFarBytes = std::size_t{256} << 20;
constexpr double kNearShare = 0.4;
constexpr std::uint64_t kMostFirst = 100000;
/** A full-period generator modulo any power of two: multiplier = 1 mod 4, increment odd (Knuth's multiplier). */
constexpr std::uint64_t kMultiplier = 6364136223846793005ull;
constexpr std::uint64_t kIncrement = 1442695040888963407ull;

std::size_t power_of_two_upto(std::size_t bytes) {
  std::size_t power = kLineBytes;
  while (power * 2 <= bytes) power *= 2;
  return power;
}

class Chain {
 public:
  Chain(GpuContext& gpu, std::size_t bytes)
      : gpu_(gpu), lines_(bytes / kLineBytes), memory_(gpu, bytes), result_(gpu, 8 * sizeof(std::uint64_t)) {
    const unsigned blocks = helper_blocks(gpu);
    gpu.launch("gpumark_chain", blocks,
               device::ChainArgs{memory_.as<device::u64>(), lines_, kMultiplier, kIncrement, blocks});
    gpu.wait();
  }
  std::uint64_t lines() const { return lines_; }
  /**
   * Nanoseconds per load over `steps`, continuing from the end of the last walk; records whether it ended at the
   * expected address.
   */
  double walk(std::uint64_t steps) {
    const double seconds = gpu_.timed([&] {
      gpu_.launch("gpumark_chase", 1,
                  device::ChaseArgs{memory_.as<device::u64>(), at_, steps, result_.as<device::u64>() + kResultWord});
    });
    for (std::uint64_t i = 0; i < steps; ++i) at_ = (kMultiplier * at_ + kIncrement) & (lines_ - 1);
    spoil_device_output("latency", gpu_, result_);
    const std::vector<std::uint64_t> result = result_.read<std::uint64_t>(2, kResultWord);
    right_ = right_ && result[0] == at_;
    cycles_ = static_cast<double>(result[1]) / static_cast<double>(steps);
    return seconds / static_cast<double>(steps) * 1e9;
  }
  bool right() const { return right_; }
  double cycles() const { return cycles_; }
  std::size_t bytes() const { return memory_.bytes(); }

 private:
  /** In the middle, where the tests' fault-injecting build corrupts outputs. */
  static constexpr std::size_t kResultWord = 4;
  GpuContext& gpu_;
  std::uint64_t lines_;
  GpuMemory memory_, result_;
  std::uint64_t at_ = 0;
  bool right_ = true;
  double cycles_ = 0;
};

/** Fills the caches with other data: a tenth of the far chain and more would still be cached from its construction. */
void evict(GpuContext& gpu, std::size_t bytes) {
  const GpuMemory other(gpu, bytes);
  other.poison();
  checksum(gpu, other);
}

void measure_one(GpuRun& run, const char* metric, std::size_t bytes, bool is_far, double seconds, Recorder& recorder) {
  Chain chain(run.gpu, bytes);
  if (is_far) evict(run.gpu, bytes);
  // Warm-up: a set for the cache is walked once completely, so that all of it is cached; for the far chain a part is
  // enough.
  chain.walk(is_far ? std::min(chain.lines(), kMostFirst) : chain.lines());
  const double first = chain.walk(2000);
  const auto steps = static_cast<std::uint64_t>(std::min(50000.0, std::max(1000.0, 5e6 / first)));
  const std::vector<double> samples = recorder.series(seconds, 5, 20000, [&] {
    const double nanoseconds = chain.walk(steps);
    recorder.sample(metric, nanoseconds);
    return nanoseconds;
  });
  if (samples.size() < 3) return;
  Result r;
  r.metric = metric;
  r.stats = summarize(samples);
  r.value = r.stats->median;
  r.verified = chain.right();
  r.details.integer("set_bytes", static_cast<std::int64_t>(chain.bytes()))
      .integer("line_bytes", kLineBytes)
      .integer("loads_per_sample", static_cast<std::int64_t>(steps));
  r.details.number("cycles_per_load", chain.cycles())
      .text("order", "pseudo-random, every line once; misses of the address translation are part of it");
  run.add_conditions(r.details);
  if (chain.right()) return recorder.result(r);
  recorder.wrong(metric, "the chain of addresses ended at the wrong place", r.details);
}

}  // namespace

void measure_gpu_latency(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const std::size_t l2 = run.gpu.device().l2_bytes;
  const std::size_t wanted = std::max({kFarBytes, 4 * run.gpu.driver().vendor().untold_cache_bytes, 8 * l2});
  // Memory for two: the chain, and the buffer that evicts it from the caches.
  const std::size_t far = power_of_two_upto(std::min(wanted, run.memory_limit() / 2));
  if (far < 4 * l2) {
    recorder.missing("memory_latency_ns",
                     "too little free device memory for a chain of four times the second-level cache");
  } else {
    measure_one(run, "memory_latency_ns", far, true, run.seconds(spec) / 2, recorder);
  }
  if (stop_requested()) return;
  if (l2 < 2 * kLineBytes)
    return recorder.missing("l2_latency_ns", "the driver does not say how large the second-level cache is",
                            Absence::hardware);
  measure_one(run, "l2_latency_ns", power_of_two_upto(static_cast<std::size_t>(kNearShare * static_cast<double>(l2))),
              false, run.seconds(spec) / 2, recorder);
}

}  // namespace gpumark
