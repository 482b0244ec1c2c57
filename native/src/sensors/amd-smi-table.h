// The calls of librocm_smi64 and libamd_smi whose signatures did not change from ROCm 5 to 7 (rocm_smi.h, amdsmi.h).
// Each may be missing.
#pragma once
#include <cstdint>

namespace gpumark {

struct RsmiErrorCount {
  std::uint64_t correctable, uncorrectable;
};

/** amdsmi_error_count_t with room to spare: releases differ in what is reserved at its end. */
struct AmdsmiErrorCount {
  std::uint64_t correctable, uncorrectable, deferred, reserved[13];
};

/** rsmi_retired_page_record_t and amdsmi_retired_page_record_t */
struct AmdRetiredPage {
  std::uint64_t address, size;
  /** 0 reserved, 1 pending, 2 unreservable */
  int status;
};

/** amdsmi_xgmi_link_status_t with room to spare. */
struct AmdsmiXgmiLinks {
  std::uint32_t total;
  /** 0 down, 1 up, 2 disabled */
  int status[8];
  std::uint64_t reserved[32];
};

#define GPUMARK_RSMI_CALLS(X)                                                                                          \
  X(init, "rsmi_init", (std::uint64_t flags))                                                                          \
  X(count, "rsmi_num_monitor_devices", (std::uint32_t * count))                                                        \
  X(pci_id, "rsmi_dev_pci_id_get", (std::uint32_t device, std::uint64_t * id))                                         \
  X(socket_power, "rsmi_dev_current_socket_power_get", (std::uint32_t device, std::uint64_t * microwatts))             \
  X(average_power, "rsmi_dev_power_ave_get", (std::uint32_t device, std::uint32_t sensor, std::uint64_t * microwatts)) \
  X(energy, "rsmi_dev_energy_count_get",                                                                               \
    (std::uint32_t device, std::uint64_t * ticks, float* microjoules_per_tick, std::uint64_t* nanoseconds))            \
  X(temperature, "rsmi_dev_temp_metric_get",                                                                           \
    (std::uint32_t device, std::uint32_t sensor, int metric, std::int64_t* millidegrees))                              \
  X(power_cap, "rsmi_dev_power_cap_get", (std::uint32_t device, std::uint32_t sensor, std::uint64_t * microwatts))     \
  X(ecc_enabled, "rsmi_dev_ecc_enabled_get", (std::uint32_t device, std::uint64_t * blocks))                           \
  X(ecc_count, "rsmi_dev_ecc_count_get", (std::uint32_t device, std::uint64_t block, RsmiErrorCount * count))          \
  X(reserved_pages, "rsmi_dev_memory_reserved_pages_get",                                                              \
    (std::uint32_t device, std::uint32_t * count, AmdRetiredPage * pages))                                             \
  X(replays, "rsmi_dev_pci_replay_counter_get", (std::uint32_t device, std::uint64_t * count))                         \
  X(serial, "rsmi_dev_serial_number_get", (std::uint32_t device, char* serial, std::uint32_t length))                  \
  X(vbios, "rsmi_dev_vbios_version_get", (std::uint32_t device, char* version, std::uint32_t length))

#define GPUMARK_AMDSMI_CALLS(X)                                                                             \
  X(init, "amdsmi_init", (std::uint64_t flags))                                                             \
  X(by_pci, "amdsmi_get_processor_handle_from_bdf", (std::uint64_t bdf, void** device))                     \
  X(energy, "amdsmi_get_energy_count",                                                                      \
    (void* device, std::uint64_t* ticks, float* microjoules_per_tick, std::uint64_t* nanoseconds))          \
  X(ecc_enabled, "amdsmi_get_gpu_ecc_enabled", (void* device, std::uint64_t* blocks))                       \
  X(ecc_count, "amdsmi_get_gpu_ecc_count", (void* device, std::uint64_t block, AmdsmiErrorCount* count))    \
  X(bad_pages, "amdsmi_get_gpu_bad_page_info", (void* device, std::uint32_t* count, AmdRetiredPage* pages)) \
  X(replays, "amdsmi_get_gpu_pci_replay_counter", (void* device, std::uint64_t* count))                     \
  X(xgmi_links, "amdsmi_get_gpu_xgmi_link_status", (void* device, AmdsmiXgmiLinks* links))                  \
  X(temperature, "amdsmi_get_temp_metric", (void* device, int sensor, int metric, std::int64_t* degrees))

#define GPUMARK_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
struct RsmiTable {
  GPUMARK_RSMI_CALLS(GPUMARK_MEMBER)
};
struct AmdsmiTable {
  GPUMARK_AMDSMI_CALLS(GPUMARK_MEMBER)
};
#undef GPUMARK_MEMBER

/** Codes of our own, and one that both libraries have. */
namespace smi {
constexpr int kNoLibrary = -2, kNoCall = -1, kNotSupported = 2;
}

namespace rsmi {
/**
 * rsmi_temperature_type_t; amdsmi_temperature_type_t has the same numbers. The stacks of HBM follow the memory's own.
 */
constexpr std::uint32_t kJunction = 1, kMemory = 2, kLastStack = 6;
constexpr int kCurrent = 0;
/** The memory controllers. The kernel's RAS mask has them at the same bit. */
constexpr std::uint64_t kUmcBlock = 1;
/** The links between cards, and the last block that all releases know (RSMI_GPU_BLOCK_*). */
constexpr std::uint64_t kXgmiBlock = 0x80, kLastBlock = 0x2000;
constexpr int kPermission = 4;
}  // namespace rsmi

namespace amdsmi {
/** AMDSMI_INIT_AMD_GPUS */
constexpr std::uint64_t kGpus = 2;
constexpr int kNoPermission = 10;
}  // namespace amdsmi

}  // namespace gpumark
