#include "sensors/amd-throttle.h"

#include <algorithm>

#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

using namespace throttle_bit;

/** Ranges of SMU_THROTTLER_*_BIT, both ends included. */
struct BitRange {
  unsigned first, last, reason;
};
constexpr BitRange kIndependent[] = {
    {0, 7, kPowerCap},           // PPT0-3, SPL, FPPT, SPPT: limits of power
    {16, 23, kCurrentLimit},     // TDC, EDC, APCC: limits of current
    {32, 43, kThermal},          // temperatures of the dies, the memory, the regulators, the coolant
    {44, 47, kHardwareThermal},  // VRHOT, PROCHOT: signals from outside
};
/** prochot, ppt, socket_thm, vr_thm, hbm_thm, in file order. */
constexpr unsigned kOfResidency[5] = {kHardwareThermal, kPowerCap, kThermal, kHardwareThermal, kThermal};

}  // namespace

std::optional<unsigned> AmdThrottle::read() {
  const auto metrics = read_amd_metrics(folder_);
  unsigned reasons = 0;
  if (metrics && metrics->independent_status) {
    for (const BitRange& range : kIndependent) {
      for (unsigned bit = range.first; bit <= range.last; ++bit)
        reasons |= *metrics->independent_status >> bit & 1 ? range.reason : 0;
    }
    return reasons;
  }
  if (!metrics || !metrics->residencies) return std::nullopt;
  const auto now = metrics->residencies->held;
  const auto before = before_;
  before_ = now;
  // Nothing to compare the first reading with.
  if (!before) return 0;
  for (std::size_t i = 0; i < now.size(); ++i) reasons |= now[i] != (*before)[i] ? kOfResidency[i] : 0;
  return reasons;
}

FactGroup amd_throttle_seconds(const std::optional<AmdMetrics>& before, const std::optional<AmdMetrics>& now,
                               double elapsed) {
  const bool has_both = before && now && before->residencies && now->residencies;
  // Both wrap at 32 bits, as their difference does.
  const std::uint32_t ticks = has_both ? now->residencies->ticks - before->residencies->ticks : 0;
  FactGroup group;
  for (const unsigned reason : {kPowerCap, kThermal, kHardwareThermal}) {
    std::uint32_t held = 0;
    for (std::size_t i = 0; i < std::size(kOfResidency) && has_both; ++i) {
      // Limits of one kind may hold at once: the longest counts.
      if (kOfResidency[i] == reason) held = std::max(held, now->residencies->held[i] - before->residencies->held[i]);
    }
    Number seconds{std::nullopt, has_both ? "the counter did not move during the run" : "not in this driver"};
    if (ticks > 0 && held <= ticks) seconds = {elapsed * held / ticks, ""};
    if (ticks > 0 && held > ticks) seconds = implausible(std::to_string(held) + " of " + std::to_string(ticks));
    group.number(throttle_names(reason).front().c_str(), seconds);
  }
  return group;
}

}  // namespace gpumark
