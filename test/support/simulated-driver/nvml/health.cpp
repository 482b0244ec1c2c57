// Memory and PCIe errors.
#include "nvml/nvml.h"

namespace gpumark::sim::nvml {

GPUMARK_SIM_EXPORT int nvmlDeviceGetEccMode(void* opaque, int* current, int* pending) {
  return with_card(opaque, [&](Device& device) {
    const int code = give_health(current, device, "ecc-mode", 1);
    return code ? code : give_health(pending, device, "ecc-mode-pending", 1);
  });
}

/** error: 0 corrected, 1 uncorrected; counter: 0 since the driver was loaded, 1 over the card's lifetime */
GPUMARK_SIM_EXPORT int nvmlDeviceGetTotalEccErrors(void* opaque, int error, int counter, unsigned long long* count) {
  return with_card(opaque, [&](Device& device) {
    if (error < 0 || error > 1 || counter < 0 || counter > 1) return static_cast<int>(kInvalidArgument);
    const char* const kind = error == 1 ? "ecc-uncorrected" : "ecc-corrected";
    const char* const lifetime = error == 1 ? "ecc-uncorrected-lifetime" : "ecc-corrected-lifetime";
    const unsigned errors = error == 1 ? device.uncorrected_errors() : 0;
    if (counter == 0) return give_health(count, device, kind, errors);
    // What was counted since the driver was loaded is a part of the lifetime.
    return give_health(count, device, lifetime, health(device, kind, errors).value);
  });
}

/** Since A100. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetRemappedRows(void* opaque, unsigned* correctable, unsigned* uncorrectable,
                                                 unsigned* pending, unsigned* failure) {
  return with_card(opaque, [&](Device& device) {
    if (device.architecture.major < 8) return kNotSupported;
    if (!correctable || !uncorrectable || !pending || !failure) return kInvalidArgument;
    // A row with an uncorrected error is remapped at the next reset.
    for (const int code : {give_health(correctable, device, "row-remap-correctable", 0),
                           give_health(uncorrectable, device, "row-remap-uncorrectable", 0),
                           give_health(pending, device, "row-remap-pending", device.uncorrected_errors() > 0 ? 1 : 0),
                           give_health(failure, device, "row-remap-failure", 0)}) {
      if (code) return static_cast<Return>(code);
    }
    return kSuccess;
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetPcieReplayCounter(void* opaque, unsigned* count) {
  return with_card(opaque, [&](Device& device) { return give_health(count, device, "pcie-replays", 0); });
}

}  // namespace gpumark::sim::nvml
