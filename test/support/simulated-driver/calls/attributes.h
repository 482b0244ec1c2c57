// Device attributes by the vendors' enumeration values.
#pragma once
#include "core/device.h"

namespace gpumark::sim {

/** False if the driver has no such attribute. */
bool read_attribute(const Device& device, int attribute, int* value);

}  // namespace gpumark::sim
