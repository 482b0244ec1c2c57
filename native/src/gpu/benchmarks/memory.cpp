// memory_bandwidth_gbs: triad by STREAM's rule on arrays far larger than the caches; read, write and copy beside it.
#include <algorithm>

#include "gpu/gpu-check.h"
#include "gpu/grid-choice.h"

namespace gpumark {
namespace {

constexpr std::size_t kWantedBytes = std::size_t{1} << 30;
constexpr std::size_t kLeastBytes = std::size_t{4} << 20;
constexpr double kScalar = 3;
constexpr double kSampleSeconds = 2e-3;

/** One stream kernel: its launch, and the bytes that the program reads and writes. */
struct StreamKernel {
  const char* name;
  double bytes;
  std::vector<unsigned> grids;
  std::function<void(unsigned blocks)> launch;
};

struct Streamed {
  Statistics stats;
  std::vector<double> rates;
  unsigned blocks = 0;
};

class StreamBench {
 public:
  StreamBench(GpuRun& run, std::size_t bytes)
      : run_(run),
        gpu_(run.gpu),
        a_(gpu_, bytes),
        b_(gpu_, bytes),
        c_(gpu_, bytes),
        partials_(gpu_, std::size_t{gpu_.blocks(32)} * device::kBlockThreads * sizeof(std::uint64_t)) {
    fill(gpu_, b_, run.options.seed, run.options.random_data);
    fill(gpu_, c_, run.options.seed + 1, run.options.random_data);
    a_.poison();
    gpu_.wait();
  }

  std::size_t bytes() const { return a_.bytes(); }
  const GpuMemory& a() const { return a_; }

  StreamKernel triad() {
    return {"triad", 3.0 * size(), grids(device::kTriadUnroll), [this](unsigned blocks) {
              gpu_.launch(
                  "gpumark_triad", blocks,
                  device::TriadArgs{a_.as<double>(), b_.as<double>(), c_.as<double>(), kScalar, vectors(), blocks});
            }};
  }
  StreamKernel copy() {
    return {"copy", 2.0 * size(), grids(device::kCopyUnroll), [this](unsigned blocks) {
              gpu_.launch("gpumark_copy", blocks, device::CopyArgs{a_.as<void>(), b_.as<void>(), vectors(), blocks});
            }};
  }
  StreamKernel write() {
    return {"write", size(), grids(device::kUnroll), [this](unsigned blocks) {
              gpu_.launch("gpumark_write", blocks, device::WriteArgs{a_.as<void>(), vectors(), kWord, blocks});
            }};
  }
  /** Not with one block per tile: as many threads as there are vectors would then write partial sums. */
  StreamKernel read() {
    return {"read", size(), {gpu_.blocks(8), gpu_.blocks(16), gpu_.blocks(32)}, [this](unsigned blocks) {
              gpu_.launch("gpumark_read", blocks,
                          device::ReadArgs{b_.as<void>(), vectors(), partials_.as<device::u64>(), blocks});
            }};
  }

  /** GB/s per sample; `collect_samples` decides the number of samples. */
  Streamed measure(const StreamKernel& kernel,
                   const std::function<std::vector<double>(const std::function<double()>&)>& collect_samples) {
    const auto seconds_of = [&](unsigned blocks, int launches) {
      return gpu_.timed([&] {
        for (int i = 0; i < launches; ++i) kernel.launch(blocks);
      }) / launches;
    };
    const GridChoice grid = choose_grid(kernel.grids, [&](unsigned blocks) { return seconds_of(blocks, 1); });
    const int launches = launches_for(kSampleSeconds, grid.seconds);
    Streamed streamed;
    streamed.blocks = grid.blocks;
    streamed.rates = collect_samples([&] { return kernel.bytes / seconds_of(grid.blocks, launches) * 1e-9; });
    streamed.stats = summarize(streamed.rates);
    return streamed;
  }

  bool triad_is_right(unsigned blocks) { return output_is_right(triad(), blocks, kScalar); }
  bool copy_is_right(unsigned blocks) { return output_is_right(copy(), blocks, 0); }
  bool write_is_right(unsigned blocks) {
    a_.poison();
    write().launch(blocks);
    for (const std::uint64_t word : a_.read<std::uint64_t>(8192, a_.bytes() / 8 - 8192)) {
      if (word != kWord) return false;
    }
    // All words are equal, so the sum does not depend on the order.
    return sum_of(a_) == kWord * (a_.bytes() / sizeof(std::uint64_t));
  }
  /** Compares with a kernel that reads the memory in another order: one block reads all of it. */
  bool read_is_right(unsigned blocks) {
    read().launch(blocks);
    const std::uint64_t sum = add_partials(partials_, blocks);
    return sum == sum_of(b_);
  }

 private:
  static constexpr std::uint64_t kWord = 0x5aa5c33c0ff07ee7ull;
  double size() const { return static_cast<double>(a_.bytes()); }
  device::u64 vectors() const { return a_.bytes() / device::kVectorBytes; }
  /** Grids to try: one block per tile, or as many blocks as are resident. */
  std::vector<unsigned> grids(unsigned unroll) const {
    return {static_cast<unsigned>(vectors() / (device::kBlockThreads * unroll)), gpu_.blocks(8), gpu_.blocks(16),
            gpu_.blocks(32)};
  }
  std::uint64_t sum_of(const GpuMemory& memory) {
    gpu_.launch("gpumark_walk", 1, device::WalkArgs{memory.as<void>(), vectors(), partials_.as<device::u64>(), 1, 1});
    return add_partials(partials_, 1);
  }
  bool output_is_right(const StreamKernel& kernel, unsigned blocks, double scalar) {
    a_.poison();
    kernel.launch(blocks);
    spoil_device_output("memory", gpu_, a_);
    const RunOptions& o = run_.options;
    return count_wrong(gpu_, a_, o.seed, scalar, o.random_data) == 0 && host_agrees(a_, o.seed, scalar, o.random_data);
  }

  GpuRun& run_;
  GpuContext& gpu_;
  GpuMemory a_, b_, c_, partials_;
};

JsonObject describe(const Streamed& streamed, int bytes_per_element) {
  return JsonObject{}
      .number("gbs", streamed.stats.median)
      .integer("n", streamed.stats.n)
      .number("cv", streamed.stats.cv)
      .integer("bytes_per_element", bytes_per_element)
      .integer("blocks", streamed.blocks);
}

}  // namespace

void measure_gpu_memory(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const std::size_t l2 = run.gpu.device().l2_bytes;
  const std::size_t wanted = std::max(kWantedBytes, 4 * l2);
  const std::size_t bytes = whole_tiles(std::min(wanted, run.memory_limit() / 3));
  if (bytes < std::max(kLeastBytes, 2 * l2))
    return recorder.finish(
        "too little free device memory for arrays larger than the second-level cache; something else holds it");
  StreamBench bench(run, bytes);
  const double seconds = run.seconds(spec);
  const auto beside = [&](const std::function<double()>& sample) { return collect(seconds * 0.15, 5, 20000, sample); };
  const Streamed triad = bench.measure(bench.triad(), [&](const std::function<double()>& sample) {
    collect(seconds * 0.05, 2, 1000, sample);
    return recorder.series(seconds * 0.5, 10, 20000, [&] {
      const double rate = sample();
      recorder.sample("memory_bandwidth_gbs", rate);
      return rate;
    });
  });
  if (triad.rates.size() < 3) return;
  Result r;
  r.details.object("triad", describe(triad, 24));
  bool right = bench.triad_is_right(triad.blocks);
  const Streamed copy = bench.measure(bench.copy(), beside);
  right = bench.copy_is_right(copy.blocks) && right;
  const Streamed write = bench.measure(bench.write(), beside);
  right = bench.write_is_right(write.blocks) && right;
  const Streamed read = bench.measure(bench.read(), beside);
  right = bench.read_is_right(read.blocks) && right;
  if (copy.stats.n) r.details.object("copy", describe(copy, 16));
  if (write.stats.n) r.details.object("write", describe(write, 8));
  if (read.stats.n) r.details.object("read", describe(read, 8));
  r.metric = "memory_bandwidth_gbs";
  r.stats = triad.stats;
  r.value = triad.stats.median;
  r.verified = right;
  r.details.integer("array_bytes", static_cast<std::int64_t>(bytes))
      .integer("arrays", 3)
      .boolean("full_size", bytes + device::kTileBytes > wanted);
  r.details.number("times_last_level_cache",
                   l2 ? std::optional<double>(static_cast<double>(bytes) / static_cast<double>(l2)) : std::nullopt);
  r.details.text("data", run.data_name()).text("counted", "STREAM rule: bytes the program reads and writes");
  run.add_conditions(r.details);
  if (right) return recorder.result(r);
  recorder.wrong(r.metric, "an element that a stream kernel wrote, or a sum it read, differs from exact arithmetic",
                 r.details);
}

}  // namespace gpumark
