// memory_bandwidth_gbs: STREAM-rule triad on arrays far larger than the caches; read and copy beside it.
#include <algorithm>

#include "cpu/memory-turn.h"
#include "cpu/stream-arrays.h"
#include "measure/fault.h"

namespace gpumark {
namespace {

constexpr std::uint64_t kWantedBytes = std::uint64_t{1} << 30;
/** Array sizes are rounded down to multiples of this; each worker's share begins at one. */
constexpr std::uint64_t kGrainBytes = 4096 * sizeof(double);
constexpr double kScalar = 3;

std::uint64_t all_caches(const CpuContext& cpu) {
  return cpu.topology.llc_bytes * static_cast<std::uint64_t>(cpu.topology.llc_domains);
}

/** Bytes per array, unless memory is limited. */
std::uint64_t wanted_bytes(const CpuContext& cpu) { return std::max(kWantedBytes, 4 * all_caches(cpu)); }

std::size_t choose_elements(const CpuContext& cpu) {
  return std::min(wanted_bytes(cpu), cpu.memory_limit() / 3) / kGrainBytes * kGrainBytes / sizeof(double);
}

/** Rates in GB/s with plain and with non-temporal stores. */
struct StorePair {
  std::vector<double> plain, non_temporal;

  /** Alternates between the two, one per call, so that a disturbance affects both; returns the rate. */
  template <class Run>
  double measure(double bytes, Run run) {
    const bool is_non_temporal = non_temporal.size() < plain.size();
    const double rate = bytes / run(is_non_temporal) * 1e-9;
    (is_non_temporal ? non_temporal : plain).push_back(rate);
    return rate;
  }
  bool non_temporal_wins() const { return summarize(non_temporal).median > summarize(plain).median; }
  const std::vector<double>& best() const { return non_temporal_wins() ? non_temporal : plain; }
};

JsonObject describe(const StorePair& pair, double bytes_per_element) {
  const Statistics best = summarize(pair.best());
  return JsonObject{}
      .number("gbs", best.median)
      .integer("n", best.n)
      .number("cv", best.cv)
      .number("bytes_per_element", bytes_per_element)
      .text("stores", pair.non_temporal_wins() ? "non-temporal" : "plain")
      .number("plain_gbs", summarize(pair.plain).median)
      .number("non_temporal_gbs", summarize(pair.non_temporal).median);
}

/** GB/s of summing b, eight bytes counted per element. */
std::vector<double> measure_read(CpuContext& cpu, StreamArrays& x, std::size_t n, double seconds) {
  std::vector<double> sums(static_cast<std::size_t>(cpu.pool.size()));
  return collect(seconds, 5, 20000, [&] {
    const double time = cpu.pool.run_timed([&](int thread) {
      const Share share = share_of(n, thread, cpu.pool.size(), 4096);
      sums[static_cast<std::size_t>(thread)] = cpu.kernels.stream.read(x.b() + share.begin, share.end - share.begin);
    });
    return static_cast<double>(n) * 8 / time * 1e-9;
  });
}

}  // namespace

void measure_memory(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const MemoryTurn turn;
  const std::size_t n = choose_elements(cpu);
  const double seconds = cpu.options.seconds(spec);
  const std::uint64_t caches = all_caches(cpu);
  const std::uint64_t bytes = n * sizeof(double);
  if (bytes < caches) return recorder.finish("the memory limit leaves no arrays larger than the last-level cache");
  StreamArrays x(cpu, n);
  if (!x) return recorder.finish("the system refused the memory for the arrays");
  const StreamKernels& k = cpu.kernels.stream;
  const auto elements = static_cast<double>(n);
  const auto run_triad = [&](bool nt) {
    return x.each([&](std::size_t i, std::size_t end) {
      (nt ? k.triad_nt : k.triad)(x.a() + i, x.b() + i, x.c() + i, kScalar, end - i);
    });
  };
  const auto run_copy = [&](bool nt) {
    return x.each([&](std::size_t i, std::size_t end) { (nt ? k.copy_nt : k.copy)(x.a() + i, x.b() + i, end - i); });
  };
  collect(seconds * 0.1, 2, 1000, [&] { return run_triad(true) + run_triad(false); });
  StorePair triad, copy;
  recorder.series(seconds * 0.5, 10, 20000, [&] { return triad.measure(elements * 24, run_triad); });
  if (triad.best().size() < 3) return;
  for (const double rate : triad.best()) recorder.sample("memory_bandwidth_gbs", rate);
  bool right = true;
  for (const bool nt : {false, true}) {
    x.poison();
    run_triad(nt);
    spoil_output(spec.id, x.a(), bytes);
    right = right && x.holds([&](std::size_t i) { return x.b()[i] + kScalar * x.c()[i]; });
  }
  collect(seconds * 0.2, 10, 20000, [&] { return copy.measure(elements * 16, run_copy); });
  if (!copy.best().empty()) right = right && x.holds([&](std::size_t i) { return x.b()[i]; });
  const Statistics read = summarize(measure_read(cpu, x, n, seconds * 0.2));

  Result r;
  r.metric = "memory_bandwidth_gbs";
  r.stats = summarize(triad.best());
  r.value = r.stats->median;
  r.verified = right;
  r.details.integer("array_bytes", static_cast<std::int64_t>(bytes)).integer("arrays", 3);
  r.details.number("times_last_level_cache",
                   static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(caches, 1)));
  r.details.boolean("full_size", bytes + kGrainBytes > wanted_bytes(cpu));
  r.details.text("data", cpu.data_name()).text("isa", cpu.kernels.isa).integer("threads", cpu.pool.size());
  r.details.text(
      "counted",
      "STREAM rule: bytes the program reads and writes; a plain store's hidden read of the line is not counted");
  r.details.object("triad", describe(triad, 24)).object("copy", describe(copy, 16));
  if (read.n)
    r.details.object("read", JsonObject{}
                                 .number("gbs", read.median)
                                 .integer("n", read.n)
                                 .number("cv", read.cv)
                                 .number("bytes_per_element", 8));
  if (right) return recorder.result(r);
  recorder.wrong(r.metric, "an element of the triad or copy differs from exact arithmetic", r.details);
}

}  // namespace gpumark
