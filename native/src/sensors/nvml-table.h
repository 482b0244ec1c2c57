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

/** nvmlViolationTime_t */
struct NvmlViolation {
  unsigned long long reference_us, violation_ns;
};

/** nvmlGpuFabricInfo_t */
struct NvmlFabricInfo {
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
};

/** nvmlGpuFabricInfo_v3_t; version 2 ends with health_mask. */
struct NvmlFabricInfoV {
  unsigned version;
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
  unsigned char health_summary;
};
constexpr unsigned kNvmlFabricInfo3 = sizeof(NvmlFabricInfoV) | 3u << 24;
constexpr unsigned kNvmlFabricInfo2 = (sizeof(NvmlFabricInfoV) - 4) | 2u << 24;

struct NvmlEvent {
  NvmlDevice device;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};

namespace nvml {
constexpr unsigned long long kXidEvent = 8;
/** nvmlReturn_t */
constexpr int kInvalidArgument = 2, kNotSupported = 3, kNoPermission = 4, kNotFound = 6, kInsufficientSize = 7,
              kFunctionNotFound = 13, kCorruptedInforom = 14, kGpuIsLost = 15, kResetRequired = 16,
              kOperatingSystem = 17, kVersionMismatch = 25, kDeprecated = 26;
/** nvmlValueType_t */
constexpr unsigned kTypeUnsignedInt = 1, kTypeUnsignedLong = 2, kTypeUnsignedLongLong = 3, kTypeSignedLongLong = 4,
                   kTypeSignedInt = 5, kTypeUnsignedShort = 6;
constexpr unsigned kFieldPowerInstant = 186, kFieldMemoryTemperature = 82;
/** The margin to the limit ("T.Limit") at which hardware slowdown begins: zero or below, not a temperature. */
constexpr unsigned kFieldSlowdownTLimit = 194;
/**
 * Fields whose number is the same in all versions of nvml.h from CUDA 11.8 to 13.3. Those from 251 on were renumbered
 * between 13.0 and 13.1: a driver may mean another one by them.
 */
constexpr unsigned kFieldPolicyPower = 74, kFieldPolicyThermal = 75, kFieldPolicySyncBoost = 76,
                   kFieldPolicyBoardLimit = 77;
constexpr unsigned kFieldRecoveryAction = 230;
/** With the link as scope. */
constexpr unsigned kFieldLinkReplay = 161, kFieldLinkRecovery = 162, kFieldLinkCrc = 163, kFieldLinkSpeed = 164,
                   kFieldLinkState = 165;
/** From Blackwell on, which has none of the older counters. */
constexpr unsigned kFieldLinkMalformed = 206, kFieldLinkOverrun = 207, kFieldLinkReceiveErrors = 208,
                   kFieldLinkIntegrity = 211, kFieldLinkDiscards = 212, kFieldLinkRecoveryFailed = 214,
                   kFieldLinkRecoveries = 215;
constexpr unsigned kScopeGpu = 0;
/** nvmlNvLinkErrorCounter_t */
constexpr int kLinkReplay = 0, kLinkRecovery = 1, kLinkCrcFlit = 2, kLinkCrcData = 3, kLinkEcc = 4;
/** NVML_NVLINK_STATE_SLEEP */
constexpr int kLinkAsleep = 2;
/** nvmlPerfPolicyType_t */
constexpr int kPolicyPower = 0, kPolicyThermal = 1, kPolicySyncBoost = 2, kPolicyBoardLimit = 3;
constexpr int kSingleBit = 0, kDoubleBit = 1;
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
  X(clock_max, "nvmlDeviceGetMaxClockInfo", (NvmlDevice device, int domain, unsigned* mhz))                            \
  X(application_clock, "nvmlDeviceGetApplicationsClock", (NvmlDevice device, int domain, unsigned* mhz))               \
  X(application_clock_default, "nvmlDeviceGetDefaultApplicationsClock",                                                \
    (NvmlDevice device, int domain, unsigned* mhz))                                                                    \
  X(violation, "nvmlDeviceGetViolationStatus", (NvmlDevice device, int policy, NvmlViolation* violation))              \
  X(clocks_event_reasons, "nvmlDeviceGetCurrentClocksEventReasons", (NvmlDevice device, unsigned long long* mask))     \
  X(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons", (NvmlDevice device, unsigned long long* mask))              \
  X(ecc_mode, "nvmlDeviceGetEccMode", (NvmlDevice device, int* current, int* pending))                                 \
  X(ecc_errors, "nvmlDeviceGetTotalEccErrors", (NvmlDevice device, int kind, int counter, unsigned long long* count))  \
  X(remapped_rows, "nvmlDeviceGetRemappedRows",                                                                        \
    (NvmlDevice device, unsigned* correctable, unsigned* uncorrectable, unsigned* pending, unsigned* failure))         \
  X(retired_pages, "nvmlDeviceGetRetiredPages",                                                                        \
    (NvmlDevice device, int cause, unsigned* count, unsigned long long* addresses))                                    \
  X(retired_pending, "nvmlDeviceGetRetiredPagesPendingStatus", (NvmlDevice device, int* pending))                      \
  X(gsp_mode, "nvmlDeviceGetGspFirmwareMode", (NvmlDevice device, unsigned* enabled, unsigned* standard))              \
  X(gsp_version, "nvmlDeviceGetGspFirmwareVersion", (NvmlDevice device, char* version))                                \
  X(fabric, "nvmlDeviceGetGpuFabricInfo", (NvmlDevice device, NvmlFabricInfo * info))                                  \
  X(fabric_v, "nvmlDeviceGetGpuFabricInfoV", (NvmlDevice device, NvmlFabricInfoV * info))                              \
  X(power_limit, "nvmlDeviceGetEnforcedPowerLimit", (NvmlDevice device, unsigned* milliwatts))                         \
  X(power_limit_default, "nvmlDeviceGetPowerManagementDefaultLimit", (NvmlDevice device, unsigned* milliwatts))        \
  X(persistence_mode, "nvmlDeviceGetPersistenceMode", (NvmlDevice device, int* mode))                                  \
  X(compute_mode, "nvmlDeviceGetComputeMode", (NvmlDevice device, int* mode))                                          \
  X(mig_mode, "nvmlDeviceGetMigMode", (NvmlDevice device, unsigned* current, unsigned* pending))                       \
  X(processes, "nvmlDeviceGetComputeRunningProcesses_v3",                                                              \
    (NvmlDevice device, unsigned* count, NvmlProcess* processes))                                                      \
  X(nvlink_state, "nvmlDeviceGetNvLinkState", (NvmlDevice device, unsigned link, int* active))                         \
  X(nvlink_version, "nvmlDeviceGetNvLinkVersion", (NvmlDevice device, unsigned link, unsigned* version))               \
  X(nvlink_errors, "nvmlDeviceGetNvLinkErrorCounter",                                                                  \
    (NvmlDevice device, unsigned link, int counter, unsigned long long* count))                                        \
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
