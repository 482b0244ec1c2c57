// Text results: as in NVML, never truncated, but refused if the buffer is too small.
#pragma once
#include <cstring>
#include <string>

#include "nvml/nvml.h"

namespace gpumark::sim::nvml {

inline int give_text(char* to, unsigned length, const std::string& text) {
  if (!to) return kInvalidArgument;
  if (length <= text.size()) return kInsufficientSize;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kSuccess;
}

}  // namespace gpumark::sim::nvml
