// Device attributes by the vendors' numbers.
#pragma once
#include "core/device.h"

namespace gpumark::sim {

/** False: the driver knows no such attribute. */
bool read_attribute(const Device& device, int attribute, int* value);

}  // namespace gpumark::sim
