#pragma once
#include <memory>

#include "backends/backend.h"
#include "protocol/emitter.h"

namespace gpumark {

struct FoundDevice {
  std::unique_ptr<Backend> backend;
  Device device;
};

/** Says every device that `wanted` (backend name or device_id) names; gives the first usable one, or no backend after an error event. */
FoundDevice find_device(const std::string& wanted, const RunOptions& options, Emitter& emitter);

}  // namespace gpumark
