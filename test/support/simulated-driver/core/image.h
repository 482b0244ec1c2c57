// A device image as a driver takes it in: refused unless it is for this device and this driver, else the names of its
// kernels.
#pragma once
#include <set>
#include <string>

#include "core/device.h"

namespace gpumark::sim {

/**
 * Reads an ELF code object or PTX text at `image`, whose size the driver's interface does not tell. @returns an error
 * code
 */
int read_image(const Device& device, const void* image, std::set<std::string>* kernels);

}  // namespace gpumark::sim
