// Memory and PCIe errors.
#include "nvml/nvml.h"

namespace gpumark::sim::nvml {

GPUMARK_SIM_EXPORT int nvmlDeviceGetEccMode(void* opaque, int* current, int* pending) {
  return with_card(opaque, [&](Device&) {
    const int code = give(current, 1);
    return code ? code : give(pending, 1);
  });
}

/** error: 0 corrected, 1 uncorrected; counter: 0 since the driver was loaded, 1 over the card's lifetime */
GPUMARK_SIM_EXPORT int nvmlDeviceGetTotalEccErrors(void* opaque, int error, int counter, unsigned long long* count) {
  return with_card(opaque, [&](Device& device) {
    if (error < 0 || error > 1 || counter < 0 || counter > 1) return static_cast<int>(kInvalidArgument);
    return give(count, error == 1 ? device.uncorrected_errors() : 0);
  });
}

/** Since A100. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetRemappedRows(void* opaque, unsigned* correctable, unsigned* uncorrectable,
                                                 unsigned* pending, unsigned* failure) {
  return with_card(opaque, [&](Device& device) {
    if (device.architecture.major < 8) return kNotSupported;
    if (!correctable || !uncorrectable || !pending || !failure) return kInvalidArgument;
    *correctable = *uncorrectable = *failure = 0;
    // A row with an uncorrected error is remapped at the next reset.
    *pending = device.uncorrected_errors() > 0 ? 1 : 0;
    return kSuccess;
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetPcieReplayCounter(void* opaque, unsigned* count) {
  return with_card(opaque, [&](Device&) { return give(count, 0); });
}

}  // namespace gpumark::sim::nvml
