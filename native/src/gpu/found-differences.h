// Results of gpumark_march and gpumark_compare: how many words and bits differ, and the offsets of the first ones.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/gpu-memory.h"
#include "kernels.h"

namespace gpumark {

class FoundDifferences {
 public:
  explicit FoundDifferences(const GpuContext& gpu) : memory_(gpu, device::kFoundWords * sizeof(std::uint64_t)) {
    memory_.clear();
  }
  device::u64* address() const { return memory_.as<device::u64>(); }

  struct Place {
    /** Byte offset from the start of the compared memory, and the differing bits of the 64-bit word there. */
    std::uint64_t offset, bits;
  };
  struct Summary {
    std::uint64_t words = 0, bits = 0;
    std::vector<Place> places;
  };
  /** Differences since the last call; waits for the device. */
  Summary take() {
    const std::vector<std::uint64_t> found = memory_.read<std::uint64_t>(device::kFoundWords);
    Summary summary{found[0], found[1], {}};
    if (found[0] == 0) return summary;
    for (std::uint64_t i = 0; i < found[0] && i < device::kFoundPlaces; ++i)
      summary.places.push_back({found[2 + 2 * i] * sizeof(std::uint64_t), found[3 + 2 * i]});
    memory_.clear();
    return summary;
  }

 private:
  GpuMemory memory_;
};

/** "0x" and the digits, without leading zeros. */
inline std::string hexadecimal(std::uint64_t number) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[number % 16]);
    number /= 16;
  } while (number != 0);
  return "0x" + text;
}

}  // namespace gpumark
