// What the blocks of a launch count: their cycles, and the ticks of the device's constant timer meanwhile.
#pragma once
#include <optional>

#include "gpu/gpu-memory.h"

namespace gpumark {

class BlockClocks {
 public:
  /** Room for launches of up to `most_blocks`. @throws GpuError */
  BlockClocks(GpuContext& gpu, unsigned most_blocks);
  /** For kernels: two words per block, cycles and ticks. */
  device::u64* address() const { return words_.as<device::u64>(); }
  /** Clock of the last launch in GHz, median over its blocks; nullopt if the counters are unusable. */
  std::optional<double> ghz(unsigned blocks) const;
  /**
   * Adds a clock counted under load, what a rate in TFLOP/s is in operations per cycle and multiprocessor at it, and
   * whether it exceeds the card's own maximum by more than 0.5 %: then one of the two is wrong.
   */
  void add_to(JsonObject& details, double ghz, double tflops) const;

 private:
  GpuContext& gpu_;
  GpuMemory words_;
};

}  // namespace gpumark
