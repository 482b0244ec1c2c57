// Common to both files of entry points. Values of results as in nccl.h.
#pragma once
#include <string>

#include "calls/handles.h"
#include "collective/communicator.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::collective {

enum Result {
  kSuccess = 0,
  kUnhandledDriverError = 1,
  kSystemError = 2,
  kInvalidArgument = 4,
  kInvalidUsage = 5,
  kRemoteError = 6
};

inline Handles<Communicator>& communicators() { return handles<Communicator>(); }

void set_last_error(const std::string& text);

}  // namespace gpumark::sim::collective
