#include "gpu/block-clocks.h"

#include <cmath>
#include <vector>

#include "gpu/vendor.h"
#include "measure/statistics.h"

namespace gpumark {

BlockClocks::BlockClocks(GpuContext& gpu, unsigned most_blocks)
    : gpu_(gpu), words_(gpu, std::size_t{most_blocks} * 2 * sizeof(std::uint64_t)) {}

std::optional<double> BlockClocks::ghz(unsigned blocks) const {
  // With a short counter, a launch of 2 ms or more exceeds 20 bits at any clock above half a GHz; a smaller count has
  // wrapped.
  constexpr double kSlowestHz = 0.5e9;
  const double counted = std::ldexp(1, gpu_.driver().vendor().cycle_counter_bits);
  std::vector<double> clocks;
  const std::vector<std::uint64_t> words = words_.read<std::uint64_t>(std::size_t{blocks} * 2);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (words[i + 1] == 0) continue;
    const double seconds = static_cast<double>(words[i + 1]) / gpu_.device().timer_hz;
    if (static_cast<double>(words[i]) < counted && seconds * kSlowestHz > counted) return std::nullopt;
    clocks.push_back(static_cast<double>(words[i]) / seconds * 1e-9);
  }
  if (clocks.empty()) return std::nullopt;
  const double ghz = summarize(clocks).median;
  return ghz > 0.1 && ghz < 6 ? std::optional<double>(ghz) : std::nullopt;
}

void BlockClocks::add_to(JsonObject& details, double ghz, double tflops) const {
  constexpr double kTolerance = 1.005;
  const GpuDevice& device = gpu_.device();
  details.number("clock_ghz", ghz)
      .number("flops_per_cycle_per_multiprocessor", tflops * 1e3 / ghz / device.multiprocessors);
  const int khz = gpu_.driver().attribute(gpu_.driver().vendor().attributes.clock_khz, device.handle);
  khz > 0 ? details.boolean("clock_above_maximum", ghz * 1e6 > khz * kTolerance) : details.null("clock_above_maximum");
}

}  // namespace gpumark
