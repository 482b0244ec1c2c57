// The calls of libnvidia-ml.so.1 that are used, with the types of nvml.h that they need. Each may be missing in older
// versions.
#pragma once
#include <cstdint>

namespace gpumark {

using NvmlDevice = void*;

struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
  char bus_id[32];
};

struct NvmlMemory {
  unsigned long long total, free, used;
};

/** nvmlFieldValue_t; `value` is read by the type the field has. */
struct NvmlFieldValue {
  unsigned field_id, scope_id;
  long long timestamp, latency_us;
  unsigned value_type;
  int result;
  union {
    double as_double;
    unsigned as_uint;
    int as_int;
    unsigned long long as_u64;
  } value;
};

/** nvmlTemperature_v1_t: newer structures begin with their size and version. */
struct NvmlTemperature {
  unsigned version;
  int sensor;
  int celsius;
};
constexpr unsigned kNvmlTemperatureVersion = sizeof(NvmlTemperature) | 1u << 24;

struct NvmlProcess {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

struct NvmlEvent {
  NvmlDevice device;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};

namespace nvml {
constexpr unsigned long long kXidEvent = 8;
constexpr int kNoPermission = 4;
constexpr int kNotFound = 6;
constexpr int kGpuIsLost = 15;
constexpr unsigned kFieldPowerInstant = 186, kFieldMemoryTemperature = 82;
/** The margin to the limit ("T.Limit") at which hardware slowdown begins: zero or below, not a temperature. */
constexpr unsigned kFieldSlowdownTLimit = 194;
constexpr unsigned kScopeGpu = 0;
constexpr int kClockSm = 1, kClockMemory = 2;
constexpr int kCorrected = 0, kUncorrected = 1, kVolatile = 0, kAggregate = 1;
constexpr int kP2pNvlink = 2;
/** NVML_NVLINK_MAX_LINKS as of CUDA 13; a query for a link that the device does not have returns an error. */
constexpr unsigned kMaxLinks = 36;
}  // namespace nvml

#define GPUMARK_NVML_CALLS(X)                                                                                          \
  X(init, "nvmlInit_v2", ())                                                                                           \
  X(driver_version, "nvmlSystemGetDriverVersion", (char* version, unsigned length))                                    \
  X(by_pci, "nvmlDeviceGetHandleByPciBusId_v2", (const char* pci_id, NvmlDevice* device))                              \
  X(by_uuid, "nvmlDeviceGetHandleByUUID", (const char* uuid, NvmlDevice* device))                                      \
  X(device_count, "nvmlDeviceGetCount_v2", (unsigned* count))                                                          \
  X(by_index, "nvmlDeviceGetHandleByIndex_v2", (unsigned index, NvmlDevice* device))                                   \
  X(pci_info, "nvmlDeviceGetPciInfo_v3", (NvmlDevice device, NvmlPciInfo * info))                                      \
  X(capability, "nvmlDeviceGetCudaComputeCapability", (NvmlDevice device, int* major, int* minor))                     \
  X(mig_count, "nvmlDeviceGetMaxMigDeviceCount", (NvmlDevice device, unsigned* count))                                 \
  X(mig_by_index, "nvmlDeviceGetMigDeviceHandleByIndex", (NvmlDevice device, unsigned index, NvmlDevice* instance))    \
  X(uuid, "nvmlDeviceGetUUID", (NvmlDevice device, char* uuid, unsigned length))                                       \
  X(name, "nvmlDeviceGetName", (NvmlDevice device, char* name, unsigned length))                                       \
  X(serial, "nvmlDeviceGetSerial", (NvmlDevice device, char* serial, unsigned length))                                 \
  X(vbios, "nvmlDeviceGetVbiosVersion", (NvmlDevice device, char* version, unsigned length))                           \
  X(memory, "nvmlDeviceGetMemoryInfo", (NvmlDevice device, NvmlMemory * memory))                                       \
  X(pcie_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration", (NvmlDevice device, unsigned* generation))              \
  X(pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration", (NvmlDevice device, unsigned* generation))                 \
  X(pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth", (NvmlDevice device, unsigned* width))                             \
  X(pcie_width, "nvmlDeviceGetCurrPcieLinkWidth", (NvmlDevice device, unsigned* width))                                \
  X(pcie_replays, "nvmlDeviceGetPcieReplayCounter", (NvmlDevice device, unsigned* count))                              \
  X(power, "nvmlDeviceGetPowerUsage", (NvmlDevice device, unsigned* milliwatts))                                       \
  X(fields, "nvmlDeviceGetFieldValues", (NvmlDevice device, int count, NvmlFieldValue* values))                        \
  X(energy, "nvmlDeviceGetTotalEnergyConsumption", (NvmlDevice device, unsigned long long* millijoules))               \
  X(temperature, "nvmlDeviceGetTemperature", (NvmlDevice device, int sensor, unsigned* celsius))                       \
  X(temperature_v, "nvmlDeviceGetTemperatureV", (NvmlDevice device, NvmlTemperature * temperature))                    \
  X(temperature_threshold, "nvmlDeviceGetTemperatureThreshold", (NvmlDevice device, int threshold, unsigned* celsius)) \
  X(clock, "nvmlDeviceGetClockInfo", (NvmlDevice device, int domain, unsigned* mhz))                                   \
  X(clocks_event_reasons, "nvmlDeviceGetCurrentClocksEventReasons", (NvmlDevice device, unsigned long long* mask))     \
  X(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons", (NvmlDevice device, unsigned long long* mask))              \
  X(ecc_mode, "nvmlDeviceGetEccMode", (NvmlDevice device, int* current, int* pending))                                 \
  X(ecc_errors, "nvmlDeviceGetTotalEccErrors", (NvmlDevice device, int kind, int counter, unsigned long long* count))  \
  X(remapped_rows, "nvmlDeviceGetRemappedRows",                                                                        \
    (NvmlDevice device, unsigned* correctable, unsigned* uncorrectable, unsigned* pending, unsigned* failure))         \
  X(power_limit, "nvmlDeviceGetEnforcedPowerLimit", (NvmlDevice device, unsigned* milliwatts))                         \
  X(power_limit_default, "nvmlDeviceGetPowerManagementDefaultLimit", (NvmlDevice device, unsigned* milliwatts))        \
  X(persistence_mode, "nvmlDeviceGetPersistenceMode", (NvmlDevice device, int* mode))                                  \
  X(compute_mode, "nvmlDeviceGetComputeMode", (NvmlDevice device, int* mode))                                          \
  X(mig_mode, "nvmlDeviceGetMigMode", (NvmlDevice device, unsigned* current, unsigned* pending))                       \
  X(processes, "nvmlDeviceGetComputeRunningProcesses_v3",                                                              \
    (NvmlDevice device, unsigned* count, NvmlProcess* processes))                                                      \
  X(nvlink_state, "nvmlDeviceGetNvLinkState", (NvmlDevice device, unsigned link, int* active))                         \
  X(nvlink_version, "nvmlDeviceGetNvLinkVersion", (NvmlDevice device, unsigned link, unsigned* version))               \
  X(nvlink_remote, "nvmlDeviceGetNvLinkRemotePciInfo_v2", (NvmlDevice device, unsigned link, NvmlPciInfo* remote))     \
  X(common_ancestor, "nvmlDeviceGetTopologyCommonAncestor", (NvmlDevice device, NvmlDevice other, int* level))         \
  X(event_set_create, "nvmlEventSetCreate", (void** set))                                                              \
  X(event_set_free, "nvmlEventSetFree", (void* set))                                                                   \
  X(register_events, "nvmlDeviceRegisterEvents", (NvmlDevice device, unsigned long long types, void* set))             \
  X(wait_event, "nvmlEventSetWait_v2", (void* set, NvmlEvent* event, unsigned timeout_ms))                             \
  X(p2p_status, "nvmlDeviceGetP2PStatus", (NvmlDevice device, NvmlDevice other, int capability, int* status))

struct NvmlTable {
#define GPUMARK_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
  GPUMARK_NVML_CALLS(GPUMARK_MEMBER)
#undef GPUMARK_MEMBER
};

}  // namespace gpumark
