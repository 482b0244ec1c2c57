// Calls that an old driver's library lacks: pages, link errors, firmware, fabric, clocks of applications, events.
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>

#include "core/sensors.h"
#include "nvml/nvml.h"
#include "nvml/text.h"

namespace gpumark::sim::nvml {
namespace {

/** Until Volta, pages are retired; later cards remap rows instead. */
template <class Body>
int with_pages(void* opaque, Body body) {
  return with_card(opaque, [&](Device& device) {
    return device.architecture.major < 8 ? body(device) : static_cast<int>(kNotSupported);
  });
}

/** Of cards on switches, which register with the fabric manager. */
int fabric_state(Device& device, unsigned char* state) {
  return give_health(state, device, "fabric-state", device.is_switched() ? 3 : 0);
}
int fabric_status(const Device& device) { return static_cast<int>(health(device, "fabric-status", 0).value); }

/** Two bits each, 1 true and 2 false, 0 not supported; then the configuration, 1 correct. */
unsigned fabric_mask(Device& device) {
  if (!device.is_switched()) return 0;
  unsigned mask = 0, shift = 0;
  for (const char* kind :
       {"fabric-degraded-bandwidth", "fabric-route-recovery", "fabric-route-unhealthy", "fabric-access-timeout"}) {
    mask |= (health(device, kind, 0).value ? 1u : 2u) << shift;
    shift += 2;
  }
  return mask | static_cast<unsigned>(health(device, "fabric-configuration", 1).value) << 8;
}

/** Cards whose Xid is yet to be told to a set of events. */
struct EventSet {
  std::mutex mutex;
  std::set<Device*> watched;
};

}  // namespace

GPUMARK_SIM_EXPORT int nvmlDeviceGetRetiredPages(void* opaque, int cause, unsigned* count, unsigned long long*) {
  return with_pages(opaque, [&](Device& device) {
    if (!count || cause < 0 || cause > 1) return static_cast<int>(kInvalidArgument);
    const unsigned room = *count;
    const int code = give_health(count, device, cause ? "retired-double-bit" : "retired-single-bit", 0);
    // The addresses themselves are never asked for.
    return code == 0 && *count > room ? static_cast<int>(kInsufficientSize) : code;
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetRetiredPagesPendingStatus(void* opaque, int* pending) {
  return with_pages(opaque, [&](Device& device) { return give_health(pending, device, "retired-pending", 0); });
}

/** nvmlNvLinkErrorCounter_t; none of them from Blackwell on, and of data CRC and ECC only before Hopper. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetNvLinkErrorCounter(void* opaque, unsigned link, int counter,
                                                       unsigned long long* count) {
  return with_card(opaque, [&](Device& device) {
    constexpr const char* kKinds[] = {"nvlink-replay", "nvlink-recovery", "nvlink-crc-flit", "nvlink-crc-data",
                                      "nvlink-ecc"};
    const int known = device.architecture.major >= 10 ? 0 : device.architecture.major == 9 ? 3 : 5;
    if (counter < 0 || counter > 4 || link >= static_cast<unsigned>(device.architecture.links))
      return static_cast<int>(kInvalidArgument);
    return counter < known ? link_errors(device, link, kKinds[counter], count) : static_cast<int>(kNotSupported);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetApplicationsClock(void* opaque, int type, unsigned* mhz) {
  return with_card(opaque, [&](Device& device) {
    return type == 2   ? give_health(mhz, device, "application-memory-clock", kMemoryClockMhz)
           : type <= 1 ? give_health(mhz, device, "application-clock", kMaxClockMhz)
                       : static_cast<int>(kInvalidArgument);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetDefaultApplicationsClock(void* opaque, int type, unsigned* mhz) {
  return with_card(opaque, [&](Device&) { return give(mhz, type == 2 ? kMemoryClockMhz : kMaxClockMhz); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetGspFirmwareMode(void* opaque, unsigned* enabled, unsigned* standard) {
  return with_card(opaque, [&](Device& device) {
    const int code = give_health(enabled, device, "gsp", 1);
    return code ? code : give(standard, 1);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetGspFirmwareVersion(void* opaque, char* version) {
  return with_card(opaque, [&](Device& device) {
    const HealthReading enabled = health(device, "gsp", 1);
    if (enabled.refusal != HealthReading::Refusal::none || enabled.value == 0) return static_cast<int>(kNotSupported);
    // NVML_GSP_FIRMWARE_VERSION_BUF_SIZE
    return give_text(version, 64, "580.65.06");
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetGpuFabricInfo(void* opaque, FabricInfo* info) {
  return with_card(opaque, [&](Device& device) {
    *info = {};
    info->status = fabric_status(device);
    return fabric_state(device, &info->state);
  });
}

/** Version 2 since CUDA 12.4, 3 since 13.0; writes nothing beyond the end of the version that is asked for. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetGpuFabricInfoV(void* opaque, FabricInfoV* info) {
  const int cuda = settings().cuda_version;
  if (cuda < 12040) return kFunctionNotFound;
  const bool third = info->version == (40 | 3u << 24);
  if (third ? cuda < 13000 : info->version != (36 | 2u << 24)) return kVersionMismatch;
  return with_card(opaque, [&](Device& device) {
    info->status = fabric_status(device);
    info->health_mask = fabric_mask(device);
    if (third)
      info->health_summary =
          static_cast<unsigned char>(health(device, "fabric-summary", device.is_switched() ? 1 : 0).value);
    return fabric_state(device, &info->state);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetViolationStatus(void* opaque, int policy, Violation* violation) {
  return with_card(opaque, [&](Device& device) {
    constexpr const char* kKinds[] = {"violation-power", "violation-thermal", "violation-sync-boost",
                                      "violation-board"};
    if (policy < 0 || policy > 3) return static_cast<int>(kNotSupported);
    violation->reference_us = 0;
    return give_health(&violation->violation_ns, device, kKinds[policy], 0);
  });
}

GPUMARK_SIM_EXPORT int nvmlEventSetCreate(void** set) { return give(set, new EventSet); }
GPUMARK_SIM_EXPORT int nvmlEventSetFree(void* set) {
  delete static_cast<EventSet*>(set);
  return kSuccess;
}

GPUMARK_SIM_EXPORT int nvmlDeviceRegisterEvents(void* opaque, unsigned long long, void* set) {
  return with_card(opaque, [&](Device& device) {
    if (health(device, "xid", 0).refusal == HealthReading::Refusal::denied) return kNoPermission;
    auto* events = static_cast<EventSet*>(set);
    const std::lock_guard lock(events->mutex);
    events->watched.insert(&device);
    return kSuccess;
  });
}

/** One critical Xid, from the first launch on; never waits. */
GPUMARK_SIM_EXPORT int nvmlEventSetWait_v2(void* set, EventData* event, unsigned) {
  auto* events = static_cast<EventSet*>(set);
  const std::lock_guard lock(events->mutex);
  for (Device* device : events->watched) {
    const std::uint64_t xid = device->launches() > 0 ? health(*device, "xid", 0).value : 0;
    if (xid == 0) continue;
    events->watched.erase(device);
    *event = {.device = card_handle(*device), .type = 8, .data = xid, .gpu_instance = ~0u, .compute_instance = ~0u};
    return kSuccess;
  }
  return kTimeout;
}

}  // namespace gpumark::sim::nvml
