// repeat_checks: the same work repeated, its output compared bit for bit. Sound hardware gives the same bits every
// time. Half of the time goes to the ordinary lanes, half to matrix products (repeat-products.h), which draw the most
// power.
#include <algorithm>
#include <cmath>

#include "gpu/benchmarks/repeat-products.h"
#include "gpu/gpu-check.h"
#include "measure/stop.h"
#include "measure/time.h"
#include "random-words.h"

namespace gpumark {
namespace {

constexpr unsigned kRounds = 64;
constexpr std::size_t kWantedBytes = std::size_t{1} << 30;

double host_repeat(double seed) {
  double x = seed;
  auto y = static_cast<float>(seed);
  for (unsigned round = 0; round < kRounds; ++round) {
    x = std::fma(x, -0.8125, seed);
    y = std::fma(y, -0.8125f, 0.3125f);
  }
  return x + static_cast<double>(y);
}

bool host_agrees_on(const GpuMemory& out, std::uint64_t seed, bool random) {
  constexpr std::size_t kCount = 4096;
  const std::vector<double> values = out.read<double>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!(values[i] == host_repeat(random ? random_dyadic(seed, i) : 0))) return false;
  }
  return true;
}

}  // namespace

void measure_gpu_repeat(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  GpuContext& gpu = run.gpu;
  const std::size_t bytes = whole_tiles(std::min(kWantedBytes, run.memory_limit() / 2));
  if (bytes < device::kTileBytes) return recorder.finish("too little free device memory");
  const GpuMemory in(gpu, bytes), out(gpu, bytes);
  fill(gpu, in, run.options.seed, run.options.random_data);
  const unsigned blocks = gpu.blocks(8);
  const auto work = [&] {
    out.poison();
    gpu.launch("gpumark_repeat", blocks,
               device::RepeatArgs{in.as<double>(), out.as<double>(), bytes / sizeof(double), kRounds, blocks});
    return checksum(gpu, out);
  };
  const std::uint64_t expected = work();
  const bool agrees = host_agrees_on(out, run.options.seed, run.options.random_data);
  // The output must equal the host's arithmetic bit for bit, and the input must be unchanged.
  const std::uint64_t input = checksum(gpu, in);
  std::int64_t repetitions = 0, different = 0;
  const double until = now_seconds() + run.seconds(spec) / 2;
  while (!stop_requested() && (repetitions < 3 || now_seconds() < until)) {
    if (repetitions == 1) spoil_device_output(spec.id, gpu, in);
    if (work() != expected) ++different;
    ++repetitions;
  }
  if (repetitions < 3) return;
  const bool untouched = checksum(gpu, in) == input;
  Result r;
  r.metric = "repeat_checks";
  r.details.integer("different", different)
      .boolean("agrees_with_host", agrees)
      .integer("bytes_compared", static_cast<std::int64_t>(bytes))
      .integer("multiply_adds_per_element", 2 * kRounds);
  const RepeatedProducts products = repeat_products(run, spec, run.seconds(spec) / 2);
  r.details.object("products", products.details);
  r.value = static_cast<double>(repetitions + products.repetitions);
  r.verified = agrees && different == 0 && untouched && products.different == 0;
  if (*r.verified) return recorder.result(r);
  recorder.wrong(r.metric,
                 std::to_string(different + products.different) + " of " +
                     std::to_string(repetitions + products.repetitions) +
                     " repetitions of the same work gave other bits",
                 r.details);
}

}  // namespace gpumark
