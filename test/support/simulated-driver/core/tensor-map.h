// cuTensorMapEncodeTiled: the description of an array in memory for the copy unit.
#pragma once
#include <cstdint>

#include "matrix/tensor-map-simulated.h"

namespace gpumark::sim {

struct TensorMapRequest {
  void* map;
  int type;
  std::uint32_t rank;
  void* address;
  const std::uint64_t* sizes;
  const std::uint64_t* strides;
  const std::uint32_t* box;
  const std::uint32_t* steps;
  int interleave, swizzle, promotion, fill;
};

/**
 * Writes the 128 bytes of a map. @returns why the manual forbids the request, or that it is not simulated; null on
 * success
 */
const char* encode_tensor_map(const TensorMapRequest& request);

}  // namespace gpumark::sim
