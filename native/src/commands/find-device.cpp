#include "commands/find-device.h"

namespace gpumark {

FoundDevice find_device(const std::string& wanted, const RunOptions& options, Emitter& emitter) {
  FoundDevice found;
  std::string why = "no device is called \"" + wanted + "\"";
  for (auto& backend : all_backends()) {
    // "cuda" names a backend, "cuda-GPU-1234" a device of it: the others need not be asked.
    if (wanted.rfind(backend->name(), 0) != 0) continue;
    for (Device& device : backend->list(options)) {
      if (wanted != backend->name() && wanted != device.device_id) continue;
      emitter.device(device);
      if (device.status != "ok") {
        why = std::string(backend->name()) + ": " + device.status + " (" + device.detail + ")";
      } else if (!found.backend) {
        found.device = std::move(device);
      }
    }
    if (found.device.status == "ok") found.backend = std::move(backend);
    break;
  }
  if (!found.backend) emitter.failure("", {"no_usable_device", why, "See `gpumark-runner --list` for the devices of this machine."});
  return found;
}

}  // namespace gpumark
