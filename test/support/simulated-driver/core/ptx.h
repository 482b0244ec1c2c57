// Checks PTX like the driver's compiler.
#pragma once
#include <set>
#include <string>

#include "core/device.h"

namespace gpumark::sim {

/** @param text ends in a zero byte. @returns 0, invalid PTX, an unsupported version, or no binary for this device */
int read_ptx(const Device& device, const char* text, std::set<std::string>* kernels);

}  // namespace gpumark::sim
