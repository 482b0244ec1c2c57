// Identity and modes of a card, and the processes that use its memory.
#include <unistd.h>

#include "nvml/nvml.h"
#include "nvml/text.h"

namespace gpumark::sim::nvml {
namespace {

/** Holds the memory of the fault "memory-taken": a process that always exists and is not the runner. */
constexpr unsigned kForeignPid = 1;

}  // namespace

GPUMARK_SIM_EXPORT int nvmlDeviceGetUUID(void* opaque, char* uuid, unsigned length) {
  return with_handle(opaque, [&](Handle& handle) {
    return give_text(uuid, length, handle.instance ? handle.device->uuid_text() : handle.device->parent_uuid());
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetName(void* opaque, char* name, unsigned length) {
  return with_handle(opaque, [&](Handle& handle) {
    const std::string whole = "Simulated GPU (" + handle.device->architecture.name + ")";
    return give_text(name, length, handle.instance ? handle.device->name : whole);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetSerial(void* opaque, char* serial, unsigned length) {
  return with_card(opaque, [&](Device& device) {
    return give_text(serial, length, "SIM" + std::to_string(1000000000 + device.ordinal));
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetVbiosVersion(void* opaque, char* version, unsigned length) {
  return with_card(opaque, [&](Device& device) {
    return give_text(version, length, health_text(device, "vbios", "00.00.51.00.01"));
  });
}

PciInfo pci_info(unsigned bus) {
  PciInfo info{};
  info.bus = bus;
  // NVIDIA's vendor id with an unassigned device id.
  info.device_id = 0xffff10de;
  const std::string text = bus_id(bus);
  std::memcpy(info.bus_id, text.c_str(), text.size() + 1);
  // The legacy form has a domain of four digits.
  std::memcpy(info.legacy_bus_id, text.c_str() + 4, text.size() - 3);
  return info;
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetPciInfo_v3(void* opaque, PciInfo* info) {
  return with_handle(opaque, [&](Handle& handle) { return give(info, pci_info(handle.device->pci_bus)); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMemoryInfo(void* opaque, Memory* memory) {
  return with_handle(opaque, [&](Handle& handle) {
    // An instance has one of seven slices of its card.
    const unsigned long long slices = handle.device->is_mig() && !handle.instance ? 7 : 1;
    const unsigned long long total = slices * handle.device->total_bytes(), left = slices * handle.device->free_bytes();
    return give(memory, Memory{.total = total, .free = left, .used = total - left});
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMemoryBusWidth(void* opaque, unsigned* bits) {
  return with_card(opaque, [&](Device&) { return give(bits, 512); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void* opaque, unsigned* count, ProcessInfo* processes) {
  return with_handle(opaque, [&](Handle& handle) {
    const Device& device = *handle.device;
    if (!count) return kInvalidArgument;
    std::vector<ProcessInfo> running;
    // 0xffffffff: no MIG instance.
    const unsigned instance = device.is_mig() ? 1 : 0xffffffffu;
    if (device.has_context())
      running.push_back({static_cast<unsigned>(getpid()),
                         device.total_bytes() - device.free_bytes() - device.foreign_bytes(), instance, instance});
    if (device.foreign_bytes() > 0) running.push_back({kForeignPid, device.foreign_bytes(), instance, instance});
    const unsigned room = *count;
    *count = static_cast<unsigned>(running.size());
    if (room < running.size()) return kInsufficientSize;
    if (!running.empty() && !processes) return kInvalidArgument;
    std::copy(running.begin(), running.end(), processes);
    return kSuccess;
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetPersistenceMode(void* opaque, int* mode) {
  return with_card(opaque, [&](Device&) { return give(mode, 1); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetComputeMode(void* opaque, int* mode) {
  return with_handle(opaque, [&](Handle&) { return give(mode, 0); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMigMode(void* opaque, unsigned* current, unsigned* pending) {
  return with_card(opaque, [&](Device& device) {
    // Since A100, and on data-centre cards only.
    const Architecture& own = device.architecture;
    const bool knows = own.links >= 12;
    if (!knows) return static_cast<int>(kNotSupported);
    const int enabled = device.is_mig() || device.has_fault("mig-empty") ? 1 : 0;
    const int code = give(current, enabled);
    return code ? code : give(pending, enabled);
  });
}

/** Only supported if the card's memory is a NUMA node of the host, as with Grace. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetNumaNodeId(void* opaque, unsigned*) {
  return with_card(opaque, [&](Device&) { return static_cast<int>(kNotSupported); });
}

}  // namespace gpumark::sim::nvml
