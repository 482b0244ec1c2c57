// Numbers of the device attributes that are asked for. HIP's are the same from ROCm 5 to 7; -1 = this vendor has none.
#pragma once
#include "gpu/driver.h"

namespace gpumark {

struct GpuAttributes {
  int multiprocessors, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, capability_major, capability_minor, ecc_enabled, integrated, timer_khz, shared_bytes;
};

inline const GpuAttributes& attributes_of(GpuVendor vendor) {
  static const GpuAttributes cuda = {16, 13, 36, 37, 38, 75, 76, 32, 18, -1, 97};
  static const GpuAttributes hip = {63, 5, 60, 59, 19, 23, 61, 0, 16, 10017, -1};
  return vendor == GpuVendor::nvidia ? cuda : hip;
}

}  // namespace gpumark
