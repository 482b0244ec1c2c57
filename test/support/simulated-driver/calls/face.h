// The driver's entry points, declared from the runner's own table with the vendor's symbol names. The files in this
// folder are compiled twice: with GPUMARK_SIM_CUDA for libcuda.so.1 and with GPUMARK_SIM_HIP for libamdhip64.so.6.
#pragma once
#include <memory>

#include "calls/handles.h"
#include "core/machine.h"
#include "core/stream.h"
#include "gpu/driver-table.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

#if defined(GPUMARK_SIM_CUDA)
#define GPUMARK_SIM_SYMBOL(cuda, hip) cuda
#else
#define GPUMARK_SIM_SYMBOL(cuda, hip) hip
#endif

namespace gpumark::sim {

#if defined(GPUMARK_SIM_CUDA)
constexpr Vendor kVendor = Vendor::nvidia;
#else
constexpr Vendor kVendor = Vendor::amd;
#endif

#define GPUMARK_SIM_DECLARE(member, cuda, hip, parameters) \
  GPUMARK_SIM_EXPORT int call_##member parameters __asm__(GPUMARK_SIM_SYMBOL(cuda, hip));
GPUMARK_DRIVER_CALLS(GPUMARK_SIM_DECLARE)
#undef GPUMARK_SIM_DECLARE

/** 0, or the reason why the process cannot use the driver. CUDA requires cuInit first, HIP initialises itself. */
int driver_state();
/** Sets `device` to the current device of this thread. @returns an error code */
int current_device(Device** device);

/** The device with this ordinal of the driver, or null if there is none. */
inline Device* device_at(int ordinal) { return machine(kVendor).visible_device(ordinal); }

/** body(Device&) on this thread's device, unless the device has failed permanently. */
template <class Body>
int with_device(Body body) {
  Device* device = nullptr;
  if (const int code = current_device(&device)) return code;
  if (const int code = device->failure()) return code;
  return body(*device);
}

/** body(Stream&); the null handle stands for the device's null stream. */
template <class Body>
int with_stream(Handle handle, Body body) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Stream> stream = handle ? handles<Stream>().find(handle) : device.null_stream();
    if (!stream) return static_cast<int>(kInvalidHandle);
    const int code = stream->device().failure();
    return code ? code : body(*stream);
  });
}

}  // namespace gpumark::sim
