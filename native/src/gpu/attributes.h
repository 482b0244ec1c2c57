// Numbers of the device attributes that are asked for. HIP's are the same from ROCm 5 to 7; -1 = this vendor has none.
#pragma once
#include "gpu/driver.h"

namespace gpumark {

struct GpuAttributes {
  int multiprocessors, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, capability_major, capability_minor,
      integrated, timer_khz, shared_bytes;
};

inline constexpr GpuAttributes kCudaAttributes = {16, 13, 36, 37, 38, 75, 76, 18, -1, 97};
inline constexpr GpuAttributes kHipAttributes = {63, 5, 60, 59, 19, 23, 61, 16, 10017, -1};

inline const GpuAttributes& attributes_of(GpuVendor vendor) {
  return vendor == GpuVendor::nvidia ? kCudaAttributes : kHipAttributes;
}

}  // namespace gpumark
