// Throttle reasons of an AMD device, by the kernel's gpu_metrics.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "sensors/amd-metrics.h"
#include "sensors/fact.h"

namespace gpumark {

/** Of counters a reason is active if its own has grown since the last reading. */
class AmdThrottle {
 public:
  explicit AmdThrottle(std::filesystem::path device_folder) : folder_(std::move(device_folder)) {}
  /** Bits of throttle-reasons.h; nullopt if unknown. */
  std::optional<unsigned> read();

 private:
  std::filesystem::path folder_;
  std::optional<std::array<std::uint32_t, 5>> before_;
};

/** Seconds of `elapsed` in which each kind of limit held the clocks down, by the counters at both ends. */
FactGroup amd_throttle_seconds(const std::optional<AmdMetrics>& before, const std::optional<AmdMetrics>& now,
                               double elapsed);

}  // namespace gpumark
