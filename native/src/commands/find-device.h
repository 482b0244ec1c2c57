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
  /** Usable ones, each once, in the order of `wanted`. */
  std::vector<FoundDevice> usable;
  /** True when something that was asked for cannot be used; an error event has said what. */
  bool incomplete = false;
};

/**
 * The devices that `wanted` names: backends (their first usable device) and device ids, with commas between. Those that
 * cannot be used are said; the usable ones are left to who opens them.
 */
FoundDevices find_devices(const std::string& wanted, const RunOptions& options, Emitter& emitter);

}  // namespace gpumark
