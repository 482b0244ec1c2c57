#include "sensors/amd-throttle.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

constexpr std::size_t kIndependentStatus = 112;
/** Offset in version 1.6; 1.7 and 1.8 have 8 more bytes before it. */
constexpr std::size_t kResidencies = 36, kResidenciesLater = 44;

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

template <class Number>
Number at(const std::vector<char>& bytes, std::size_t offset) {
  Number value{};
  std::memcpy(&value, &bytes[offset], sizeof value);
  return value;
}

}  // namespace

std::optional<unsigned> AmdThrottle::read() {
  std::ifstream file(file_, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.size() < 4) return std::nullopt;
  const auto size = at<std::uint16_t>(bytes, 0);
  const int format = static_cast<unsigned char>(bytes[2]), content = static_cast<unsigned char>(bytes[3]);
  if (size > bytes.size() || format != 1) return std::nullopt;
  unsigned reasons = 0;
  if (content == 3 && size >= kIndependentStatus + sizeof(std::uint64_t)) {
    const auto status = at<std::uint64_t>(bytes, kIndependentStatus);
    // All bits set: no value.
    if (status == ~std::uint64_t{0}) return std::nullopt;
    for (const BitRange& range : kIndependent) {
      for (unsigned bit = range.first; bit <= range.last; ++bit) reasons |= status >> bit & 1 ? range.reason : 0;
    }
    return reasons;
  }
  const std::size_t first = content == 6 ? kResidencies : kResidenciesLater;
  if (content < 6 || content > 8 || size < first + 5 * sizeof(std::uint32_t)) return std::nullopt;
  std::array<std::uint32_t, 5> now{};
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = at<std::uint32_t>(bytes, first + i * sizeof(std::uint32_t));
  const auto before = before_;
  before_ = now;
  // Nothing to compare the first reading with.
  if (!before) return 0;
  for (std::size_t i = 0; i < now.size(); ++i) reasons |= now[i] != (*before)[i] ? kOfResidency[i] : 0;
  return reasons;
}

}  // namespace gpumark
