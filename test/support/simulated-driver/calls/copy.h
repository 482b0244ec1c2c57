// Copies from device memory to device memory, for which the vendors' calls differ.
#pragma once
#include "calls/face.h"
#include "core/memory-map.h"

namespace gpumark::sim {

/** @param staged through host memory, as between devices without peer access. @returns an error code */
int submit_copy(Stream& stream, DevicePointer to, DevicePointer from, std::size_t bytes, bool staged);

}  // namespace gpumark::sim
