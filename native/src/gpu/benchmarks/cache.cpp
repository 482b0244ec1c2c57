// l2_bandwidth_gbs: many blocks read one working set that fits the L2 cache, bypassing L1. The sweep over set sizes
// proves that it was that cache (the long-walk design of RRZE's gpu-benches, each block in its own order: see
// device/cache.h). AMD's loads are 8 bytes wide, the widest that bypass L1, and may understate it.
#include <algorithm>

#include "gpu/gpu-check.h"
#include "gpu/grid-choice.h"
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
constexpr double kSampleSeconds = 3e-3;

class GpuWalk {
 public:
  GpuWalk(GpuRun& run, std::size_t bytes)
      : gpu_(run.gpu),
        set_(gpu_, bytes),
        partials_(gpu_, std::size_t{gpu_.blocks(4)} * device::kBlockThreads * sizeof(std::uint64_t)) {
    fill(gpu_, set_, run.options.seed, run.options.random_data);
    gpu_.wait();
    walk(1, 1);
    expected_ = add_partials(partials_, 1);
    // No more blocks than are resident at once on every architecture (4 of 64 registers), so that the whole set is in
    // use. In waves, blocks would share a part of it, at 4x the cache too.
    grid_ = choose_grid({gpu_.blocks(2), gpu_.blocks(4)},
                        [&](unsigned blocks) { return gpu_.timed([&] { walk(blocks, 1); }) / blocks; });
    const double one_pass = grid_.seconds * grid_.blocks;
    passes_ = static_cast<unsigned>(std::min(10000.0, std::max(1.0, kSampleSeconds / one_pass)));
  }
  /** GB/s over all blocks. */
  double sample() {
    const double seconds = gpu_.timed([&] { walk(grid_.blocks, passes_); });
    return static_cast<double>(set_.bytes()) * passes_ * grid_.blocks / seconds * 1e-9;
  }
  /** The sum of the last sample. */
  bool right() {
    spoil_device_output("cache", gpu_, partials_);
    return add_partials(partials_, grid_.blocks) == expected_ * passes_ * grid_.blocks;
  }
  std::size_t bytes() const { return set_.bytes(); }
  unsigned blocks() const { return grid_.blocks; }

 private:
  void walk(unsigned blocks, unsigned passes) {
    gpu_.launch("gpumark_walk", blocks,
                device::WalkArgs{set_.as<void>(), set_.bytes() / device::kVectorBytes, partials_.as<device::u64>(),
                                 passes, blocks});
  }
  GpuContext& gpu_;
  GpuMemory set_, partials_;
  std::uint64_t expected_ = 0;
  GridChoice grid_;
  unsigned passes_ = 1;
};

}  // namespace

void measure_gpu_cache(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const auto l2 = static_cast<double>(run.gpu.device().l2_bytes);
  if (l2 == 0) return recorder.finish("the driver does not say how large the second-level cache is", Absence::hardware);
  if (4 * l2 > static_cast<double>(run.memory_limit()))
    return recorder.finish("too little free device memory for a working set of four times the second-level cache");
  const double seconds = run.seconds(spec);
  std::vector<JsonObject> sweep;
  Result r;
  r.metric = "l2_bandwidth_gbs";
  double far_gbs = 0;
  bool right = true;
  for (const double share : kSweep) {
    if (stop_requested()) return;
    GpuWalk walk(run, device::kTileBytes * prime_tiles(static_cast<std::size_t>(share * l2)));
    const bool is_headline = share == kHeadlineShare;
    const auto measure = [&] {
      const double rate = walk.sample();
      if (is_headline) recorder.sample(r.metric, rate);
      return rate;
    };
    const std::vector<double> rates =
        is_headline ? recorder.series(seconds * 0.4, 10, 20000, measure) : collect(seconds * 0.1, 5, 20000, measure);
    if (rates.size() < 3) return;
    right = walk.right() && right;
    const Statistics stats = summarize(rates);
    far_gbs = stats.median;
    if (is_headline) {
      r.stats = stats;
      r.details.integer("set_bytes", static_cast<std::int64_t>(walk.bytes())).integer("blocks", walk.blocks());
    }
    sweep.push_back(JsonObject{}
                        .number("times_cache", share)
                        .integer("bytes", static_cast<std::int64_t>(walk.bytes()))
                        .number("gbs", stats.median)
                        .number("cv", stats.cv));
  }
  const double near_gbs = r.stats->median;
  const bool falls = far_gbs <= kMustFallTo * near_gbs;
  if (falls) r.value = near_gbs;
  r.absence = Absence::hardware;
  r.reason =
      "reading four times the cache was no slower than reading a part of it, so the figure cannot be shown to be "
      "cache bandwidth";
  r.verified = right;
  const std::optional<double> memory = recorder.published("memory_bandwidth_gbs");
  r.details.integer("cache_level", 2)
      .integer("cache_bytes", static_cast<std::int64_t>(l2))
      .number("times_cache", kHeadlineShare)
      .text("data", run.data_name());
  r.details.number("measured_gbs", near_gbs).boolean("falls_beyond_cache", falls);
  r.details.number("beyond_cache_over_memory", memory ? std::optional<double>(far_gbs / *memory) : std::nullopt)
      .objects("sweep", sweep);
  run.add_conditions(r.details);
  if (right) return recorder.result(r);
  recorder.wrong(r.metric, "the sum over the working set was wrong", r.details);
}

}  // namespace gpumark
