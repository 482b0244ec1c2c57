// The simulated part of AMD SMI's interface, as of ROCm 10 (amdsmi.h 27.1). Unlike in ROCm SMI, temperatures are in
// whole degrees.
#include <atomic>
#include <chrono>

#include "core/loud.h"
#include "core/machine.h"
#include "core/sensors.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::amdsmi {
namespace {

/** amdsmi_status_t */
constexpr int kSuccess = 0, kInvalid = 1, kNotSupported = 2, kNotInitialised = 32, kNotFound = 31;
/** AMDSMI_INIT_AMD_GPUS */
constexpr std::uint64_t kGpus = 2;
constexpr float kEnergyMicrojoules = 15.259f;
Talker talker("libamd_smi");
std::atomic<bool> initialised{false};

template <class Body>
int with_device(void* handle, Body body) {
  if (!initialised) return kNotInitialised;
  for (const auto& device : machine(Vendor::amd).devices) {
    if (device.get() == handle) return device->lost() ? kNotSupported : body(*device);
  }
  return kInvalid;
}

}  // namespace

/** Marks this telemetry as simulated. */
GPUMARK_SIM_EXPORT int gpumark_simulated_driver;
int gpumark_simulated_driver = 1;

GPUMARK_SIM_EXPORT int amdsmi_init(std::uint64_t flags) {
  talker.called();
  if (flags != kGpus) return kInvalid;
  initialised = true;
  return kSuccess;
}

/** bdf, from the lowest bit: 3 bits function, 5 bits device, 8 bits bus, then the domain. */
GPUMARK_SIM_EXPORT int amdsmi_get_processor_handle_from_bdf(std::uint64_t bdf, void** handle) {
  if (!initialised) return kNotInitialised;
  for (const auto& device : machine(Vendor::amd).devices) {
    if (bdf != static_cast<std::uint64_t>(device->pci_bus) << 8) continue;
    *handle = device.get();
    return kSuccess;
  }
  return kNotFound;
}

GPUMARK_SIM_EXPORT int amdsmi_get_energy_count(void* handle, std::uint64_t* ticks, float* resolution,
                                               std::uint64_t* timestamp_ns) {
  return with_device(handle, [&](Device& device) {
    *resolution = kEnergyMicrojoules;
    *timestamp_ns = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    *ticks = static_cast<std::uint64_t>(read_sensors(device).joules * 1e6 / static_cast<double>(kEnergyMicrojoules));
    return kSuccess;
  });
}

/** amdsmi_temperature_type_t: 1 junction, 2 memory. Metric 0 is the current value. */
GPUMARK_SIM_EXPORT int amdsmi_get_temp_metric(void* handle, int sensor, int metric, std::int64_t* celsius) {
  return with_device(handle, [&](Device& device) {
    if (metric != 0 || (sensor != 1 && sensor != 2)) return kNotSupported;
    const Sensors sensors = read_sensors(device);
    *celsius = static_cast<std::int64_t>(sensor == 2 ? sensors.memory_celsius : sensors.celsius);
    return kSuccess;
  });
}

GPUMARK_SIM_EXPORT int amdsmi_get_gpu_ecc_enabled(void* handle, std::uint64_t* blocks) {
  return with_device(handle, [&](Device& device) {
    *blocks = device.architecture.warp_size == 64 ? 0x3fff : 0;
    return kSuccess;
  });
}

}  // namespace gpumark::sim::amdsmi
