// l2_bandwidth_gbs: read bandwidth of the last-level cache, which all cores of a domain share (as L2 on a GPU).
#include <algorithm>

#include "cpu/cpu-context.h"
#include "cpu/host-memory.h"
#include "cpu/memory-turn.h"
#include "measure/fault.h"
#include "measure/random.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr double kHeadlineShare = 0.375;
constexpr double kSweep[] = {0.25, 0.375, 0.5, 0.75, 1.5, 4};
/**
 * The rate at 4x the cache must be at most this fraction of the headline; otherwise the headline was not cache
 * bandwidth.
 */
constexpr double kMustFallTo = 0.8;

/** One working set per cache domain; every worker of a domain reads all of it, from its own starting offset. */
class CacheWalk {
 public:
  CacheWalk(CpuContext& cpu, std::size_t bytes_per_domain)
      : cpu_(cpu), n_(bytes_per_domain / kGrain * kGrain / sizeof(double)) {
    const Topology& t = cpu.topology;
    for (int domain = 0; domain < t.llc_domains; ++domain)
      sets_.push_back(std::make_unique<HostMemory>(n_ * sizeof(double)));
    if (!*this) return;
    cpu.pool.run([this](int thread) {
      if (place(thread).index != 0) return;
      for (std::size_t i = 0; i < n_; ++i) set(thread)[i] = value(i);
    });
    for (std::size_t i = 0; i < n_; ++i) expected_ += value(i);
    spoil_output("cache", set(0), n_ * sizeof(double));
  }
  explicit operator bool() const {
    for (const auto& memory : sets_) {
      if (!*memory) return false;
    }
    return n_ > 0;
  }
  /** Reads each set `passes` times. @returns GB/s over all workers; records whether every sum was right */
  double read(int passes) {
    std::vector<double> sums(static_cast<std::size_t>(cpu_.pool.size()));
    const double seconds = cpu_.pool.run_timed([&](int thread) {
      const Place p = place(thread);
      const std::size_t start = n_ / kGrainElements * p.index / p.count * kGrainElements;
      double sum = 0;
      for (int pass = 0; pass < passes; ++pass) {
        sum += cpu_.kernels.stream.read(set(thread) + start, n_ - start);
        if (start) sum += cpu_.kernels.stream.read(set(thread), start);
      }
      sums[static_cast<std::size_t>(thread)] = sum;
    });
    for (const double sum : sums) right_ = right_ && sum == expected_ * passes;
    return static_cast<double>(n_ * sizeof(double)) * passes * cpu_.pool.size() / seconds * 1e-9;
  }
  /** Passes that take about `seconds`. */
  int passes_for(double seconds) {
    read(1);
    const double gbs = read(1);
    const double one = static_cast<double>(n_ * sizeof(double)) * cpu_.pool.size() / (gbs * 1e9);
    return std::max(1, static_cast<int>(seconds / one));
  }
  bool right() const { return right_; }
  std::size_t bytes() const { return n_ * sizeof(double); }

 private:
  static constexpr std::size_t kGrain = 4096;
  static constexpr std::size_t kGrainElements = kGrain / sizeof(double);
  struct Place {
    std::size_t index;
    std::size_t count;
  };
  int domain_of(int thread) const { return cpu_.topology.llc_domain.at(cpu_.pool.cpu_of(thread)); }
  Place place(int thread) const {
    Place p{0, 0};
    for (int other = 0; other < cpu_.pool.size(); ++other) {
      if (domain_of(other) != domain_of(thread)) continue;
      if (other < thread) ++p.index;
      ++p.count;
    }
    return p;
  }
  double value(std::size_t i) const { return cpu_.options.random_data ? random_dyadic(cpu_.options.seed, i) : 0; }
  double* set(int thread) const { return sets_[static_cast<std::size_t>(domain_of(thread))]->as<double>(); }

  CpuContext& cpu_;
  std::size_t n_;
  std::vector<std::unique_ptr<HostMemory>> sets_;
  double expected_ = 0;
  bool right_ = true;
};

}  // namespace

void measure_cache(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const auto llc = static_cast<double>(cpu.topology.llc_bytes);
  const double seconds = cpu.options.seconds(spec);
  if (llc == 0) return recorder.finish("the system does not say how large the last-level cache is", Absence::hardware);
  const MemoryTurn turn;
  // Four times the cache is the last of them; without it there is no figure.
  if (4 * llc * cpu.topology.llc_domains > static_cast<double>(cpu.memory_limit()))
    return recorder.finish("the memory limit does not allow a working set of four times the last-level cache");
  std::vector<JsonObject> sweep;
  std::vector<double> headline;
  double far_gbs = 0;
  bool right = true;
  for (const double share : kSweep) {
    if (stop_requested()) return;
    CacheWalk walk(cpu, static_cast<std::size_t>(share * llc));
    if (!walk) return recorder.finish("the system refused the memory for the working set");
    const int passes = walk.passes_for(0.01);
    const bool is_headline = share == kHeadlineShare;
    const auto measure = [&] {
      const double rate = walk.read(passes);
      if (is_headline) recorder.sample("l2_bandwidth_gbs", rate);
      return rate;
    };
    const std::vector<double> rates =
        is_headline ? recorder.series(seconds * 0.4, 5, 20000, measure) : collect(seconds * 0.1, 5, 20000, measure);
    if (rates.size() < 3) return;
    right = right && walk.right();
    if (is_headline) headline = rates;
    far_gbs = summarize(rates).median;
    sweep.push_back(JsonObject{}
                        .number("times_cache", share)
                        .integer("bytes", static_cast<std::int64_t>(walk.bytes()))
                        .number("gbs", far_gbs));
  }
  Result r;
  r.metric = "l2_bandwidth_gbs";
  r.stats = summarize(headline);
  const double near_gbs = r.stats->median;
  const bool falls = far_gbs <= kMustFallTo * near_gbs;
  if (falls) r.value = near_gbs;
  r.absence = Absence::hardware;
  r.reason =
      "reading four times the cache was no slower than reading a part of it, "
      "so the figure cannot be shown to be cache bandwidth";
  r.verified = right;
  r.details.integer("cache_level", cpu.topology.llc_level)
      .integer("cache_bytes", static_cast<std::int64_t>(cpu.topology.llc_bytes));
  r.details.integer("cache_domains", cpu.topology.llc_domains)
      .number("times_cache", kHeadlineShare)
      .integer("threads", cpu.pool.size());
  r.details.text("isa", cpu.kernels.isa)
      .text("data", cpu.data_name())
      .number("measured_gbs", near_gbs)
      .boolean("falls_beyond_cache", falls)
      .objects("sweep", sweep);
  if (right) return recorder.result(r);
  recorder.wrong(r.metric, "the sum over the working set was wrong", r.details);
}

}  // namespace gpumark
