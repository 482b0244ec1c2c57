// Loads a device image like a driver: refuses it unless it is for this device and this driver, else lists its kernels.
#pragma once
#include <set>
#include <string>

#include "core/device.h"

namespace gpumark::sim {

/**
 * Reads an ELF code object or PTX text at `image`; the driver's interface does not pass its size. @returns an error
 * code
 */
int read_image(const Device& device, const void* image, std::set<std::string>* kernels);

}  // namespace gpumark::sim
