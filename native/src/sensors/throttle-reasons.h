// Throttle reasons as bits, because several can apply at a time.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

/**
 * The values are NVML's clocks event reasons (nvml.h); other vendors' reasons are mapped onto them, and reasons that
 * NVML does not have begin at bit 16. "Idle" is not a throttle reason.
 */
namespace throttle_bit {
constexpr unsigned kPowerCap = 0x4, kThermal = 0x20, kHardwareThermal = 0x40, kCurrentLimit = 0x10000;
}

struct ThrottleReason {
  unsigned bit;
  const char* name;
};

constexpr ThrottleReason kThrottleReasons[] = {
    {0x2, "application_clocks"},
    {throttle_bit::kPowerCap, "sw_power_cap"},
    {0x8, "hw_slowdown"},
    {0x10, "sync_boost"},
    {throttle_bit::kThermal, "sw_thermal"},
    {throttle_bit::kHardwareThermal, "hw_thermal"},
    {0x80, "power_brake"},
    {0x100, "display_clocks"},
    {throttle_bit::kCurrentLimit, "current_limit"},
};

inline std::vector<std::string> throttle_names(unsigned mask) {
  std::vector<std::string> names;
  for (const ThrottleReason& reason : kThrottleReasons) {
    if (mask & reason.bit) names.push_back(reason.name);
  }
  return names;
}

}  // namespace gpumark
