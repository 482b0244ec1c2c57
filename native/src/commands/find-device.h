#pragma once
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "protocol/emitter.h"

namespace gpumark {

struct FoundDevice {
  Backend* backend = nullptr;
  Device device;
};

struct FoundDevices {
  std::vector<std::unique_ptr<Backend>> backends;
  /** Usable devices, without duplicates, in the order of `wanted`. */
  std::vector<FoundDevice> usable;
  /** True if a requested device is unusable; an error event has been emitted for it. */
  bool incomplete = false;
};

/**
 * Resolves `wanted`, comma-separated backends (their first usable device) and device ids. Emits an error for each
 * unusable one; the caller announces the usable ones when it opens them.
 */
FoundDevices find_devices(const std::string& wanted, const RunOptions& options, Emitter& emitter);

}  // namespace gpumark
