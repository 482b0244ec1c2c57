// The runner's own declarations of what it loads by dlopen, beside the vendors' headers: calls, records, numbers.
// Compiled alone, with the folders of whatever is installed (`make -C native headers`, HEADERS="DIR DIR" for others);
// missing headers are not compared, and each compared one is reported. Compared and found equal:
//
//   cuda.h                        CUDA 13.0, 12.4 (Debian 13 nvidia-cuda-dev): attributes, error codes
//   library_types.h, cublasLt.h   CUDA 13.0 (cuBLASLt 13.1.0), 12.4: types, status, descriptors, algorithm fields,
//                                 the record of a proposal
//   nvml.h                        CUDA 13.0, 12.4 (libnvidia-ml-dev): 46 calls, six records, fields, scopes, link count
//   hip_runtime_api.h             5.2, 5.7 (Debian 12, 13 libamdhip64-dev): 40 calls, attributes, error codes; the rate
//                                 of the timer from 5.7 on
//   rocm_smi.h                    1.0 (ROCm 5.2), 7.2 (6.1) (librocm-smi-dev): 12 calls, error counts, sensor numbers,
//                                 the throttle words of gpu_metrics; socket power and the independent word from 7.2 on
//   amdsmi.h                      ROCm 6.1 (Debian 13 libamd-smi-dev): five calls, sensor numbers, the PCI id's size
//   nccl.h; rccl.h                2.28.3 (NVIDIA's package), 2.22 (Debian 13 libnccl-dev); 5.4 (librccl-dev): eight
//                                 calls, the id's size, types, operations
//
// By hand on other machines, not repeated for these files: HIP 6.4, rocm_smi.h 6.4, amdsmi.h 27.1 (ROCm 10),
// nccl.h 2.29, hipblaslt.h 7.1 (Debian has no hipBLASLt). Links beyond 18 are newer than any nvml.h and are declared
// from the manual.
#include <cstddef>
#include <cstdint>

#include "vendor-headers.h"

#if __has_include(<nvml.h>)
#include <nvml.h>
#include "sensors/nvml-table.h"
#pragma message("compared with nvml.h")
#define SAME(member, function) GPUMARK_SAME(NvmlTable, member, function)
SAME(init, nvmlInit_v2);
SAME(driver_version, nvmlSystemGetDriverVersion);
SAME(by_pci, nvmlDeviceGetHandleByPciBusId_v2);
SAME(by_uuid, nvmlDeviceGetHandleByUUID);
SAME(device_count, nvmlDeviceGetCount_v2);
SAME(by_index, nvmlDeviceGetHandleByIndex_v2);
SAME(pci_info, nvmlDeviceGetPciInfo_v3);
SAME(capability, nvmlDeviceGetCudaComputeCapability);
SAME(mig_count, nvmlDeviceGetMaxMigDeviceCount);
SAME(mig_by_index, nvmlDeviceGetMigDeviceHandleByIndex);
SAME(uuid, nvmlDeviceGetUUID);
SAME(name, nvmlDeviceGetName);
SAME(serial, nvmlDeviceGetSerial);
SAME(vbios, nvmlDeviceGetVbiosVersion);
SAME(memory, nvmlDeviceGetMemoryInfo);
SAME(pcie_generation_max, nvmlDeviceGetMaxPcieLinkGeneration);
SAME(pcie_generation, nvmlDeviceGetCurrPcieLinkGeneration);
SAME(pcie_width_max, nvmlDeviceGetMaxPcieLinkWidth);
SAME(pcie_width, nvmlDeviceGetCurrPcieLinkWidth);
SAME(pcie_replays, nvmlDeviceGetPcieReplayCounter);
SAME(power, nvmlDeviceGetPowerUsage);
SAME(fields, nvmlDeviceGetFieldValues);
SAME(energy, nvmlDeviceGetTotalEnergyConsumption);
SAME(temperature, nvmlDeviceGetTemperature);
SAME(temperature_threshold, nvmlDeviceGetTemperatureThreshold);
SAME(clock, nvmlDeviceGetClockInfo);
SAME(clock_max, nvmlDeviceGetMaxClockInfo);
SAME(application_clock, nvmlDeviceGetApplicationsClock);
SAME(application_clock_default, nvmlDeviceGetDefaultApplicationsClock);
SAME(violation, nvmlDeviceGetViolationStatus);
SAME(retired_pages, nvmlDeviceGetRetiredPages);
SAME(retired_pending, nvmlDeviceGetRetiredPagesPendingStatus);
SAME(gsp_mode, nvmlDeviceGetGspFirmwareMode);
SAME(gsp_version, nvmlDeviceGetGspFirmwareVersion);
SAME(nvlink_errors, nvmlDeviceGetNvLinkErrorCounter);
SAME(clocks_event_reasons, nvmlDeviceGetCurrentClocksEventReasons);
SAME(throttle, nvmlDeviceGetCurrentClocksThrottleReasons);
SAME(ecc_mode, nvmlDeviceGetEccMode);
SAME(ecc_errors, nvmlDeviceGetTotalEccErrors);
SAME(remapped_rows, nvmlDeviceGetRemappedRows);
SAME(power_limit, nvmlDeviceGetEnforcedPowerLimit);
SAME(power_limit_default, nvmlDeviceGetPowerManagementDefaultLimit);
SAME(persistence_mode, nvmlDeviceGetPersistenceMode);
SAME(compute_mode, nvmlDeviceGetComputeMode);
SAME(mig_mode, nvmlDeviceGetMigMode);
SAME(processes, nvmlDeviceGetComputeRunningProcesses_v3);
SAME(nvlink_state, nvmlDeviceGetNvLinkState);
SAME(nvlink_version, nvmlDeviceGetNvLinkVersion);
SAME(nvlink_remote, nvmlDeviceGetNvLinkRemotePciInfo_v2);
SAME(common_ancestor, nvmlDeviceGetTopologyCommonAncestor);
SAME(event_set_create, nvmlEventSetCreate);
SAME(event_set_free, nvmlEventSetFree);
SAME(register_events, nvmlDeviceRegisterEvents);
SAME(wait_event, nvmlEventSetWait_v2);
SAME(p2p_status, nvmlDeviceGetP2PStatus);
#undef SAME
namespace gpumark {
static_assert(sizeof(NvmlPciInfo) == sizeof(nvmlPciInfo_t) &&
              offsetof(NvmlPciInfo, bus_id) == offsetof(nvmlPciInfo_t, busId) &&
              offsetof(NvmlPciInfo, bus) == offsetof(nvmlPciInfo_t, bus));
static_assert(sizeof(NvmlMemory) == sizeof(nvmlMemory_t) && offsetof(NvmlMemory, free) == offsetof(nvmlMemory_t, free));
static_assert(sizeof(NvmlFieldValue) == sizeof(nvmlFieldValue_t) &&
              offsetof(NvmlFieldValue, result) == offsetof(nvmlFieldValue_t, nvmlReturn));
static_assert(offsetof(NvmlFieldValue, value) == offsetof(nvmlFieldValue_t, value) &&
              offsetof(NvmlFieldValue, scope_id) == offsetof(nvmlFieldValue_t, scopeId));
static_assert(sizeof(NvmlProcess) == sizeof(nvmlProcessInfo_t) &&
              offsetof(NvmlProcess, used_memory) == offsetof(nvmlProcessInfo_t, usedGpuMemory));
static_assert(sizeof(NvmlViolation) == sizeof(nvmlViolationTime_t) &&
              offsetof(NvmlViolation, violation_ns) == offsetof(nvmlViolationTime_t, violationTime));
static_assert(offsetof(NvmlFieldValue, value_type) == offsetof(nvmlFieldValue_t, valueType));
static_assert(sizeof(NvmlEvent) == sizeof(nvmlEventData_t) &&
              offsetof(NvmlEvent, type) == offsetof(nvmlEventData_t, eventType) &&
              offsetof(NvmlEvent, data) == offsetof(nvmlEventData_t, eventData));
namespace nvml {
static_assert(kXidEvent == nvmlEventTypeXidCriticalError && kNoPermission == NVML_ERROR_NO_PERMISSION);
static_assert(kInvalidArgument == NVML_ERROR_INVALID_ARGUMENT && kNotSupported == NVML_ERROR_NOT_SUPPORTED &&
              kInsufficientSize == NVML_ERROR_INSUFFICIENT_SIZE && kFunctionNotFound == NVML_ERROR_FUNCTION_NOT_FOUND &&
              kCorruptedInforom == NVML_ERROR_CORRUPTED_INFOROM && kGpuIsLost == NVML_ERROR_GPU_IS_LOST &&
              kResetRequired == NVML_ERROR_RESET_REQUIRED && kOperatingSystem == NVML_ERROR_OPERATING_SYSTEM);
static_assert(kTypeUnsignedInt == NVML_VALUE_TYPE_UNSIGNED_INT && kTypeUnsignedLong == NVML_VALUE_TYPE_UNSIGNED_LONG &&
              kTypeUnsignedLongLong == NVML_VALUE_TYPE_UNSIGNED_LONG_LONG &&
              kTypeSignedLongLong == NVML_VALUE_TYPE_SIGNED_LONG_LONG);
static_assert(kLinkReplay == NVML_NVLINK_ERROR_DL_REPLAY && kLinkRecovery == NVML_NVLINK_ERROR_DL_RECOVERY &&
              kLinkCrcFlit == NVML_NVLINK_ERROR_DL_CRC_FLIT && kLinkCrcData == NVML_NVLINK_ERROR_DL_CRC_DATA &&
              kLinkEcc == NVML_NVLINK_ERROR_DL_ECC_DATA);
static_assert(kPolicyPower == NVML_PERF_POLICY_POWER && kPolicyThermal == NVML_PERF_POLICY_THERMAL &&
              kPolicySyncBoost == NVML_PERF_POLICY_SYNC_BOOST && kPolicyBoardLimit == NVML_PERF_POLICY_BOARD_LIMIT);
static_assert(kFieldPolicyPower == NVML_FI_DEV_PERF_POLICY_POWER &&
              kFieldPolicyThermal == NVML_FI_DEV_PERF_POLICY_THERMAL &&
              kFieldPolicySyncBoost == NVML_FI_DEV_PERF_POLICY_SYNC_BOOST &&
              kFieldPolicyBoardLimit == NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT);
static_assert(kSingleBit == NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS &&
              kDoubleBit == NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR);
#ifdef NVML_FI_DEV_NVLINK_GET_STATE
static_assert(kFieldLinkReplay == NVML_FI_DEV_NVLINK_ERROR_DL_REPLAY &&
              kFieldLinkRecovery == NVML_FI_DEV_NVLINK_ERROR_DL_RECOVERY &&
              kFieldLinkCrc == NVML_FI_DEV_NVLINK_ERROR_DL_CRC && kFieldLinkSpeed == NVML_FI_DEV_NVLINK_GET_SPEED &&
              kFieldLinkState == NVML_FI_DEV_NVLINK_GET_STATE);
#endif
#ifdef NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS
static_assert(kFieldLinkMalformed == NVML_FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS &&
              kFieldLinkOverrun == NVML_FI_DEV_NVLINK_COUNT_BUFFER_OVERRUN_ERRORS &&
              kFieldLinkReceiveErrors == NVML_FI_DEV_NVLINK_COUNT_RCV_ERRORS &&
              kFieldLinkIntegrity == NVML_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS &&
              kFieldLinkDiscards == NVML_FI_DEV_NVLINK_COUNT_XMIT_DISCARDS &&
              kFieldLinkRecoveryFailed == NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS &&
              kFieldLinkRecoveries == NVML_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS);
#endif
#ifdef NVML_FI_DEV_GET_GPU_RECOVERY_ACTION
static_assert(kFieldRecoveryAction == NVML_FI_DEV_GET_GPU_RECOVERY_ACTION &&
              kTypeSignedInt == NVML_VALUE_TYPE_SIGNED_INT && kTypeUnsignedShort == NVML_VALUE_TYPE_UNSIGNED_SHORT &&
              kVersionMismatch == NVML_ERROR_ARGUMENT_VERSION_MISMATCH && kDeprecated == NVML_ERROR_DEPRECATED);
#endif
#ifdef NVML_NVLINK_STATE_SLEEP
static_assert(kLinkAsleep == NVML_NVLINK_STATE_SLEEP);
#endif
static_assert(kFieldPowerInstant == NVML_FI_DEV_POWER_INSTANT && kFieldMemoryTemperature == NVML_FI_DEV_MEMORY_TEMP &&
              kFieldSlowdownTLimit == NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT);
static_assert(kScopeGpu == NVML_POWER_SCOPE_GPU && kClockSm == NVML_CLOCK_SM && kClockMemory == NVML_CLOCK_MEM &&
              kP2pNvlink == NVML_P2P_CAPS_INDEX_NVLINK);
static_assert(kCorrected == NVML_MEMORY_ERROR_TYPE_CORRECTED && kUncorrected == NVML_MEMORY_ERROR_TYPE_UNCORRECTED &&
              kVolatile == NVML_VOLATILE_ECC && kAggregate == NVML_AGGREGATE_ECC);
// A newer header may know more links than an older one; ours may not know fewer than any.
static_assert(kMaxLinks >= NVML_NVLINK_MAX_LINKS);
}  // namespace nvml
#ifdef NVML_GPU_FABRIC_STATE_COMPLETED
static_assert(sizeof(NvmlFabricInfo) == sizeof(nvmlGpuFabricInfo_t) &&
              offsetof(NvmlFabricInfo, state) == offsetof(nvmlGpuFabricInfo_t, state) &&
              offsetof(NvmlFabricInfo, status) == offsetof(nvmlGpuFabricInfo_t, status));
GPUMARK_SAME(NvmlTable, fabric, nvmlDeviceGetGpuFabricInfo);
#endif
#ifdef nvmlGpuFabricInfo_v2
static_assert(kNvmlFabricInfo2 == nvmlGpuFabricInfo_v2 &&
              offsetof(NvmlFabricInfoV, health_mask) == offsetof(nvmlGpuFabricInfo_v2_t, healthMask) &&
              offsetof(NvmlFabricInfoV, state) == offsetof(nvmlGpuFabricInfo_v2_t, state) &&
              offsetof(NvmlFabricInfoV, status) == offsetof(nvmlGpuFabricInfo_v2_t, status));
GPUMARK_SAME(NvmlTable, fabric_v, nvmlDeviceGetGpuFabricInfoV);
#endif
#ifdef nvmlGpuFabricInfo_v3
static_assert(kNvmlFabricInfo3 == nvmlGpuFabricInfo_v3 && sizeof(NvmlFabricInfoV) == sizeof(nvmlGpuFabricInfo_v3_t) &&
              offsetof(NvmlFabricInfoV, health_summary) == offsetof(nvmlGpuFabricInfo_v3_t, healthSummary));
#endif
#ifdef nvmlTemperature_v1
static_assert(sizeof(NvmlTemperature) == sizeof(nvmlTemperature_v1_t) && kNvmlTemperatureVersion == nvmlTemperature_v1);
GPUMARK_SAME(NvmlTable, temperature_v, nvmlDeviceGetTemperatureV);
#endif
}  // namespace gpumark
#endif

#if __has_include(<cuda.h>)
#include <cuda.h>
#include "gpu/driver.h"
#pragma message("compared with cuda.h")
namespace gpumark {
static_assert(kCudaAttributes.multiprocessors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT &&
              kCudaAttributes.clock_khz == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(kCudaAttributes.memory_clock_khz == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE &&
              kCudaAttributes.memory_bus_bits == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
static_assert(kCudaAttributes.l2_bytes == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE &&
              kCudaAttributes.capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kCudaAttributes.capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR &&
              kCudaAttributes.integrated == CU_DEVICE_ATTRIBUTE_INTEGRATED);
static_assert(kCudaAttributes.shared_bytes == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
using namespace gpu_code;
static_assert(kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY && kStubLibrary == CUDA_ERROR_STUB_LIBRARY &&
              kDeviceUnavailable == CUDA_ERROR_DEVICE_UNAVAILABLE && kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kInvalidDevice == CUDA_ERROR_INVALID_DEVICE && kNoBinary == CUDA_ERROR_NO_BINARY_FOR_GPU &&
              kEccUncorrectable == CUDA_ERROR_ECC_UNCORRECTABLE && kNotFound == CUDA_ERROR_NOT_FOUND);
static_assert(kPeerAlreadyEnabled == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED &&
              kSystemNotReady == CUDA_ERROR_SYSTEM_NOT_READY &&
              kSystemDriverMismatch == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
static_assert(kCompatNotSupported == CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
#if CUDA_VERSION >= 12080
static_assert(kContained == CUDA_ERROR_CONTAINED);
#endif
}  // namespace gpumark
#endif

#if __has_include(<rocm_smi/rocm_smi.h>)
#include <rocm_smi/rocm_smi.h>
#include <rocm_smi/rocm_smi64Config.h>
#include "sensors/amd-smi-table.h"
#pragma message("compared with rocm_smi.h")
#define SAME(member, function) GPUMARK_SAME(RsmiTable, member, function)
SAME(init, rsmi_init);
SAME(count, rsmi_num_monitor_devices);
SAME(pci_id, rsmi_dev_pci_id_get);
// Not in Debian 12's 1.0 (ROCm 5.2), where the runner finds no such call and asks the one below.
#if rocm_smi_VERSION_MAJOR >= 7
SAME(socket_power, rsmi_dev_current_socket_power_get);
#endif
SAME(average_power, rsmi_dev_power_ave_get);
SAME(energy, rsmi_dev_energy_count_get);
SAME(temperature, rsmi_dev_temp_metric_get);
SAME(power_cap, rsmi_dev_power_cap_get);
SAME(ecc_enabled, rsmi_dev_ecc_enabled_get);
SAME(ecc_count, rsmi_dev_ecc_count_get);
SAME(reserved_pages, rsmi_dev_memory_reserved_pages_get);
SAME(replays, rsmi_dev_pci_replay_counter_get);
SAME(serial, rsmi_dev_serial_number_get);
SAME(vbios, rsmi_dev_vbios_version_get);
#undef SAME
namespace gpumark::rsmi {
static_assert(kJunction == RSMI_TEMP_TYPE_JUNCTION && kMemory == RSMI_TEMP_TYPE_MEMORY &&
              kLastStack == RSMI_TEMP_TYPE_HBM_3 && kCurrent == RSMI_TEMP_CURRENT && kUmcBlock == RSMI_GPU_BLOCK_UMC);
static_assert(sizeof(RsmiErrorCount) == sizeof(rsmi_error_count_t) &&
              offsetof(RsmiErrorCount, uncorrectable) == offsetof(rsmi_error_count_t, uncorrectable_err));
static_assert(kXgmiBlock == RSMI_GPU_BLOCK_XGMI_WAFL && kLastBlock == RSMI_GPU_BLOCK_FUSE &&
              kPermission == RSMI_STATUS_PERMISSION && smi::kNotSupported == RSMI_STATUS_NOT_SUPPORTED);
static_assert(sizeof(AmdRetiredPage) == sizeof(rsmi_retired_page_record_t) &&
              offsetof(AmdRetiredPage, status) == offsetof(rsmi_retired_page_record_t, status) &&
              RSMI_MEM_PAGE_STATUS_PENDING == 1 && RSMI_MEM_PAGE_STATUS_UNRESERVABLE == 2);
// The public record begins as the kernel's own of 1.3 does, which amd-metrics.cpp reads.
static_assert(offsetof(rsmi_gpu_metrics_t, throttle_status) == 68);
#if rocm_smi_VERSION_MAJOR >= 7
static_assert(offsetof(rsmi_gpu_metrics_t, indep_throttle_status) == 112);
#endif
static_assert(sizeof(metrics_table_header_t) == 4 && offsetof(metrics_table_header_t, format_revision) == 2 &&
              offsetof(metrics_table_header_t, content_revision) == 3);
}  // namespace gpumark::rsmi
#endif

#if __has_include(<amd_smi/amdsmi.h>)
#include <amd_smi/amdsmi.h>
#include "sensors/amd-smi-table.h"
#pragma message("compared with amdsmi.h")
#define SAME(member, function) GPUMARK_SAME(AmdsmiTable, member, function)
SAME(init, amdsmi_init);
SAME(by_pci, amdsmi_get_processor_handle_from_bdf);
SAME(energy, amdsmi_get_energy_count);
SAME(ecc_enabled, amdsmi_get_gpu_ecc_enabled);
SAME(temperature, amdsmi_get_temp_metric);
SAME(ecc_count, amdsmi_get_gpu_ecc_count);
SAME(bad_pages, amdsmi_get_gpu_bad_page_info);
SAME(replays, amdsmi_get_gpu_pci_replay_counter);
#undef SAME
namespace gpumark {
static_assert(sizeof(AmdsmiErrorCount) >= sizeof(amdsmi_error_count_t) &&
              offsetof(AmdsmiErrorCount, uncorrectable) == offsetof(amdsmi_error_count_t, uncorrectable_count));
static_assert(sizeof(AmdRetiredPage) == sizeof(amdsmi_retired_page_record_t) &&
              offsetof(AmdRetiredPage, status) == offsetof(amdsmi_retired_page_record_t, status));
static_assert(amdsmi::kNoPermission == AMDSMI_STATUS_NO_PERM && smi::kNotSupported == AMDSMI_STATUS_NOT_SUPPORTED &&
              rsmi::kXgmiBlock == AMDSMI_GPU_BLOCK_XGMI_WAFL);
static_assert(amdsmi::kGpus == AMDSMI_INIT_AMD_GPUS && rsmi::kUmcBlock == AMDSMI_GPU_BLOCK_UMC &&
              sizeof(amdsmi_bdf_t) == sizeof(std::uint64_t));
#if AMDSMI_LIB_VERSION_MAJOR < 25
#define AMDSMI_TEMPERATURE_TYPE_JUNCTION TEMPERATURE_TYPE_JUNCTION
#define AMDSMI_TEMPERATURE_TYPE_VRAM TEMPERATURE_TYPE_VRAM
#define AMDSMI_TEMPERATURE_TYPE_HBM_3 TEMPERATURE_TYPE_HBM_3
#endif
static_assert(rsmi::kJunction == AMDSMI_TEMPERATURE_TYPE_JUNCTION && rsmi::kMemory == AMDSMI_TEMPERATURE_TYPE_VRAM &&
              rsmi::kLastStack == AMDSMI_TEMPERATURE_TYPE_HBM_3);
static_assert(rsmi::kCurrent == AMDSMI_TEMP_CURRENT);
}  // namespace gpumark
#endif

#if __has_include(<nccl.h>)
#include <nccl.h>
#define GPUMARK_NCCL_HEADER "nccl.h"
#elif __has_include(<rccl/rccl.h>)
#include <rccl/rccl.h>
#define GPUMARK_NCCL_HEADER "rccl.h"
#endif
#ifdef GPUMARK_NCCL_HEADER
#include "collective/collective-table.h"
#define GPUMARK_PRAGMA(text) _Pragma(#text)
#define GPUMARK_SAY(header) GPUMARK_PRAGMA(message("compared with " header))
GPUMARK_SAY(GPUMARK_NCCL_HEADER)
#define SAME(member, function) GPUMARK_SAME(CollectiveTable, member, function)
SAME(get_version, ncclGetVersion);
SAME(get_unique_id, ncclGetUniqueId);
SAME(join, ncclCommInitRank);
SAME(leave, ncclCommDestroy);
SAME(all_reduce, ncclAllReduce);
SAME(broadcast, ncclBroadcast);
SAME(abort, ncclCommAbort);
SAME(async_error, ncclCommGetAsyncError);
#undef SAME
namespace gpumark {
static_assert(sizeof(UniqueId) == sizeof(ncclUniqueId) && collective::kFloat32 == ncclFloat32 &&
              collective::kFloat64 == ncclFloat64);
static_assert(collective::kSum == ncclSum && collective::kMax == ncclMax);
}  // namespace gpumark
#endif
