// Why a device runs below its clock: bits, because several reasons hold at a time.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

/** The values are NVML's clocks event reasons (nvml.h); other vendors' reasons are mapped onto them. "Idle" is none. */
struct ThrottleReason {
  unsigned bit;
  const char* name;
};

constexpr ThrottleReason kThrottleReasons[] = {
    {0x2, "application_clocks"}, {0x4, "sw_power_cap"}, {0x8, "hw_slowdown"},      {0x10, "sync_boost"},
    {0x20, "sw_thermal"},        {0x40, "hw_thermal"},  {0x80, "power_brake"}, {0x100, "display_clocks"},
};

inline std::vector<std::string> throttle_names(unsigned mask) {
  std::vector<std::string> names;
  for (const ThrottleReason& reason : kThrottleReasons) {
    if (mask & reason.bit) names.push_back(reason.name);
  }
  return names;
}

}  // namespace gpumark
