// memory_copy_gbs: copy within the device's memory by a kernel, bytes read plus bytes written.
#include <algorithm>

#include "gpu/gpu-check.h"
#include "gpu/grid-choice.h"

namespace gpumark {

void measure_gpu_copy(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  constexpr std::size_t kWantedBytes = std::size_t{1} << 30;
  GpuContext& gpu = run.gpu;
  const std::size_t bytes = whole_tiles(std::min(kWantedBytes, run.memory_limit() / 2));
  if (bytes < 2 * gpu.device().l2_bytes || bytes == 0)
    return recorder.finish("too little free device memory for buffers larger than the second-level cache");
  const GpuMemory from(gpu, bytes), to(gpu, bytes);
  fill(gpu, from, run.options.seed, run.options.random_data);
  to.poison();
  const auto seconds_of = [&](unsigned blocks, int launches) {
    return gpu.timed([&] {
      for (int i = 0; i < launches; ++i)
        gpu.launch("gpumark_copy", blocks,
                   device::CopyArgs{to.as<void>(), from.as<void>(), bytes / device::kVectorBytes, blocks});
    }) / launches;
  };
  const auto tiles =
      static_cast<unsigned>(bytes / (device::kVectorBytes * device::kBlockThreads * device::kCopyUnroll));
  const GridChoice grid = choose_grid({tiles, gpu.blocks(8), gpu.blocks(16), gpu.blocks(32)},
                                      [&](unsigned blocks) { return seconds_of(blocks, 1); });
  const int launches = launches_for(2e-3, grid.seconds);
  const std::vector<double> rates = recorder.series(run.seconds(spec), 10, 20000, [&] {
    const double rate = 2 * static_cast<double>(bytes) / seconds_of(grid.blocks, launches) * 1e-9;
    recorder.sample("memory_copy_gbs", rate);
    return rate;
  });
  if (rates.size() < 3) return;
  spoil_device_output(spec.id, gpu, to);
  Result r;
  r.metric = "memory_copy_gbs";
  r.stats = summarize(rates);
  r.value = r.stats->median;
  r.verified = count_wrong(gpu, to, run.options.seed, 0, run.options.random_data) == 0;
  r.details.integer("buffer_bytes", static_cast<std::int64_t>(bytes))
      .integer("blocks", grid.blocks)
      .text("data", run.data_name());
  r.details.text("counted", "bytes read plus bytes written");
  run.add_conditions(r.details);
  if (*r.verified) return recorder.result(r);
  recorder.wrong(r.metric, "the copy differs from its source", r.details);
}

}  // namespace gpumark
