// The simulated part of AMD SMI's interface, as of ROCm 10 (amdsmi.h 27.1). Unlike in ROCm SMI, temperatures are in
// whole degrees.
#include <atomic>
#include <chrono>

#include "core/health.h"
#include "core/loud.h"
#include "core/machine.h"
#include "core/sensors.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::amdsmi {
namespace {

/** amdsmi_status_t */
constexpr int kSuccess = 0, kInvalid = 1, kNotSupported = 2, kNoPermission = 10, kNotInitialised = 32, kNotFound = 31;
/** AMDSMI_INIT_AMD_GPUS */
constexpr std::uint64_t kGpus = 2;
constexpr float kEnergyMicrojoules = 15.259f;
/** amdsmi_error_count_t, amdsmi_retired_page_record_t, amdsmi_xgmi_link_status_t */
struct ErrorCount {
  std::uint64_t correctable, uncorrectable, deferred, reserved[5];
};
struct RetiredPage {
  std::uint64_t address, size;
  int status;
};
struct XgmiLinks {
  std::uint32_t total;
  int status[8];
  std::uint64_t reserved[7];
};

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

template <class To>
int give_health(To* to, const Device& device, const char* kind, std::uint64_t healthy) {
  const HealthReading reading = health(device, kind, healthy);
  if (reading.refusal == HealthReading::Refusal::denied) return kNoPermission;
  if (reading.refusal == HealthReading::Refusal::unsupported) return kNotSupported;
  *to = static_cast<To>(reading.value);
  return kSuccess;
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

/** The memory controller, the shaders and the links, as in ROCm SMI, with deferred errors of the memory. */
GPUMARK_SIM_EXPORT int amdsmi_get_gpu_ecc_count(void* handle, std::uint64_t block, ErrorCount* count) {
  return with_device(handle, [&](Device& device) {
    if (block != 1 && block != 4 && block != 0x80) return kNotSupported;
    *count = {};
    if (block == 1) {
      count->uncorrectable = device.uncorrected_errors();
      return give_health(&count->deferred, device, "ras-deferred", 0);
    }
    const int code = give_health(&count->correctable, device, block == 4 ? "ras-corrected" : "xgmi-corrected", 0);
    return code ? code
                : give_health(&count->uncorrectable, device, block == 4 ? "ras-uncorrected" : "xgmi-uncorrected", 0);
  });
}

GPUMARK_SIM_EXPORT int amdsmi_get_gpu_pci_replay_counter(void* handle, std::uint64_t* count) {
  return with_device(handle, [&](Device& device) { return give_health(count, device, "pcie-replays", 0); });
}

/** Without room for them their number. */
GPUMARK_SIM_EXPORT int amdsmi_get_gpu_bad_page_info(void* handle, std::uint32_t* count, RetiredPage* pages) {
  return with_device(handle, [&](Device& device) {
    constexpr const char* kKinds[] = {"bad-pages-retired", "bad-pages-pending", "bad-pages-unreservable"};
    std::uint32_t all = 0;
    for (int status = 0; status < 3; ++status) {
      std::uint32_t pages_of = 0;
      if (const int code = give_health(&pages_of, device, kKinds[status], 0)) return code;
      for (std::uint32_t i = 0; i < pages_of && pages && all + i < *count; ++i)
        pages[all + i] = {.address = all + i, .size = 4096, .status = status};
      all += pages_of;
    }
    *count = all;
    return kSuccess;
  });
}

/** Of eight places the card's own is disabled, as in a node of eight MI300X. */
GPUMARK_SIM_EXPORT int amdsmi_get_gpu_xgmi_link_status(void* handle, XgmiLinks* links) {
  return with_device(handle, [&](Device& device) {
    if (device.architecture.links == 0) return kNotSupported;
    const HealthReading down = health(device, "xgmi-down", 0);
    if (down.refusal != HealthReading::Refusal::none) return kNotSupported;
    links->total = 8;
    for (int link = 0; link < 8; ++link)
      links->status[link] = link > device.architecture.links - 1 ? 2 : link < static_cast<int>(down.value) ? 0 : 1;
    return kSuccess;
  });
}

}  // namespace gpumark::sim::amdsmi
