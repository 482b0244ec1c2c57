// Initialisation, shutdown and device handles.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <strings.h>

#include "core/loud.h"
#include "nvml/nvml.h"
#include "nvml/text.h"

/** Marks this telemetry as simulated. */
GPUMARK_SIM_EXPORT int gpumark_simulated_driver;
int gpumark_simulated_driver = 1;

namespace gpumark::sim::nvml {
namespace {

Talker talker("libnvidia-ml");
std::atomic<int> initialised{0};

std::vector<Handle>& handles(bool instances) {
  const auto build = [](bool instance) {
    auto* all = new std::vector<Handle>;
    for (const auto& device : machine(Vendor::nvidia).devices) all->push_back({device.get(), instance});
    return all;
  };
  static auto* const cards = build(false);
  static auto* const instances_of_cards = build(true);
  return instances ? *instances_of_cards : *cards;
}

/** NVML accepts a domain of eight or four digits, and letters in either case. */
bool same_bus(const Device& device, const char* text) {
  char shorter[32];
  std::snprintf(shorter, sizeof shorter, "0000:%02x:00.0", device.pci_bus);
  return strcasecmp(text, bus_id(device.pci_bus).c_str()) == 0 || strcasecmp(text, shorter) == 0;
}

}  // namespace

std::string bus_id(unsigned bus) {
  char text[32];
  std::snprintf(text, sizeof text, "00000000:%02X:00.0", bus);
  return text;
}

bool is_initialised() { return initialised > 0; }

Handle* handle_of(void* opaque) {
  for (const bool instances : {false, true}) {
    for (Handle& handle : handles(instances)) {
      if (&handle == opaque) return &handle;
    }
  }
  return nullptr;
}

Handle* card_handle(Device& device) { return &handles(false)[static_cast<std::size_t>(device.ordinal)]; }
Handle* instance_handle(Device& device) { return &handles(true)[static_cast<std::size_t>(device.ordinal)]; }

GPUMARK_SIM_EXPORT int nvmlInit_v2() {
  talker.called();
  if (settings().fault("nvml-missing", -1)) return kLibraryNotFound;
  if (settings().fault("nvml-no-permission", -1)) return kNoPermission;
  ++initialised;
  return kSuccess;
}

GPUMARK_SIM_EXPORT int nvmlShutdown() {
  if (!is_initialised()) return kUninitialized;
  --initialised;
  return kSuccess;
}

GPUMARK_SIM_EXPORT const char* nvmlErrorString(int code) {
  switch (code) {
    case kSuccess: return "The operation was successful";
    case kUninitialized: return "Uninitialized";
    case kInvalidArgument: return "Invalid Argument";
    case kNotSupported: return "Not Supported";
    case kNoPermission: return "Insufficient Permissions";
    case kNotFound: return "Not Found";
    case kInsufficientSize: return "Insufficient Size";
    case kDriverNotLoaded: return "Driver Not Loaded";
    case kLibraryNotFound: return "NVML Shared Library Not Found";
    case kGpuIsLost: return "GPU is lost";
    default: return "Unknown Error";
  }
}

GPUMARK_SIM_EXPORT int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  if (!is_initialised()) return kUninitialized;
  // The driver version that came with a CUDA version, such as "580.65.06" with 13.0; those in between are simplified.
  const int cuda = settings().driver_too_old(Vendor::nvidia) ? 9000 : settings().cuda_version;
  const char* branch = cuda >= 13000   ? "580.65.06"
                       : cuda >= 12080 ? "570.86.10"
                       : cuda >= 12040 ? "550.54.14"
                       : cuda >= 12000 ? "525.60.13"
                       : cuda >= 11000 ? "450.36.06"
                       : cuda >= 10000 ? "410.48"
                                       : "384.81";
  return give_text(version, length, branch);
}

GPUMARK_SIM_EXPORT int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return is_initialised() ? give(version, settings().cuda_version) : static_cast<int>(kUninitialized);
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetCount_v2(unsigned* count) {
  return is_initialised() ? give(count, machine(Vendor::nvidia).devices.size()) : static_cast<int>(kUninitialized);
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  if (!is_initialised()) return kUninitialized;
  const auto& devices = machine(Vendor::nvidia).devices;
  if (!handle || index >= devices.size()) return kInvalidArgument;
  *handle = card_handle(*devices[index]);
  return devices[index]->lost() ? kGpuIsLost : kSuccess;
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* text, void** handle) {
  if (!is_initialised()) return kUninitialized;
  if (!text || !handle) return kInvalidArgument;
  for (const auto& device : machine(Vendor::nvidia).devices) {
    if (!same_bus(*device, text)) continue;
    *handle = card_handle(*device);
    return device->lost() ? kGpuIsLost : kSuccess;
  }
  return kNotFound;
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle) {
  if (!is_initialised()) return kUninitialized;
  if (!uuid || !handle) return kInvalidArgument;
  for (const auto& device : machine(Vendor::nvidia).devices) {
    const bool card = device->parent_uuid() == uuid;
    if (!card && (!device->is_mig() || device->uuid_text() != uuid)) continue;
    *handle = card ? card_handle(*device) : instance_handle(*device);
    return device->lost() ? kGpuIsLost : kSuccess;
  }
  return kNotFound;
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetCudaComputeCapability(void* opaque, int* major, int* minor) {
  return with_card(opaque, [&](Device& device) {
    const int code = give(major, device.architecture.major);
    return code ? code : give(minor, device.architecture.minor);
  });
}

/** The maximum number of instances of a card. Only one exists here; the others are not found. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetMaxMigDeviceCount(void* opaque, unsigned* count) {
  return with_card(
      opaque, [&](Device& device) { return give(count, device.is_mig() || device.has_fault("mig-empty") ? 7u : 0u); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMigDeviceHandleByIndex(void* opaque, unsigned index, void** instance) {
  return with_card(opaque, [&](Device& device) {
    if (device.has_fault("mig-empty") && index < 7) return static_cast<int>(kNotFound);
    if (!device.is_mig() || index >= 7) return static_cast<int>(kInvalidArgument);
    // Index 2 because the numbers may have gaps: instances keep theirs when others are removed.
    return index == 2 ? give(instance, instance_handle(device)) : static_cast<int>(kNotFound);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void* opaque, void** card) {
  return with_handle(opaque, [&](Handle& handle) {
    return handle.instance ? give(card, card_handle(*handle.device)) : static_cast<int>(kInvalidArgument);
  });
}

}  // namespace gpumark::sim::nvml
