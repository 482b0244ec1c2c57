// Initialisation, shutdown and the identity of the cards.
#include "rocm-smi/rocm-smi.h"

#include <atomic>
#include <cstring>
#include <string>

#include "core/loud.h"

/** Marks this telemetry as simulated. */
GPUMARK_SIM_EXPORT int gpumark_simulated_driver;
int gpumark_simulated_driver = 1;

namespace gpumark::sim::rocm {
namespace {

Talker talker("librocm_smi64");
std::atomic<int> initialised{0};

/** Truncates the text to fit; the returned code says whether it was truncated. */
int give_text(char* to, std::uint32_t length, const std::string& text) {
  if (!to || length == 0) return kInvalidArguments;
  std::strncpy(to, text.c_str(), length - 1);
  to[length - 1] = '\0';
  return text.size() < length ? kSuccess : kInsufficientSize;
}

}  // namespace

bool is_initialised() { return initialised > 0; }

GPUMARK_SIM_EXPORT int rsmi_init(std::uint64_t) {
  talker.called();
  if (machine(Vendor::amd).devices.empty()) return kInitError;
  ++initialised;
  return kSuccess;
}

GPUMARK_SIM_EXPORT int rsmi_shut_down() {
  if (!is_initialised()) return kInitError;
  --initialised;
  return kSuccess;
}

GPUMARK_SIM_EXPORT int rsmi_num_monitor_devices(std::uint32_t* count) {
  return is_initialised() ? give(count, machine(Vendor::amd).devices.size()) : static_cast<int>(kInitError);
}

/** Domain in the upper half, then bus, device and function as in PCI. */
GPUMARK_SIM_EXPORT int rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* id) {
  return with_device(index, [&](Device& device) { return give(id, static_cast<std::uint64_t>(device.pci_bus) << 8); });
}

GPUMARK_SIM_EXPORT int rsmi_dev_unique_id_get(std::uint32_t index, std::uint64_t* id) {
  return with_device(index, [&](Device& device) { return give(id, device.unique_id()); });
}

GPUMARK_SIM_EXPORT int rsmi_dev_vbios_version_get(std::uint32_t index, char* version, std::uint32_t length) {
  return with_device(
      index, [&](Device& device) { return give_text(version, length, health_text(device, "vbios", "113-SIM-00")); });
}

GPUMARK_SIM_EXPORT int rsmi_dev_serial_number_get(std::uint32_t index, char* serial, std::uint32_t length) {
  return with_device(index, [&](Device& device) {
    return give_text(serial, length, "SIM" + std::to_string(2000000000 + device.ordinal));
  });
}

/** Data-centre cards have ECC memory: sets the bits of the blocks with ECC, which include the memory controller. */
GPUMARK_SIM_EXPORT int rsmi_dev_ecc_enabled_get(std::uint32_t index, std::uint64_t* blocks) {
  return with_device(index,
                     [&](Device& device) { return give(blocks, device.architecture.warp_size == 64 ? 0x3fffu : 0u); });
}

/** Errors are counted for the memory controller (block 1), the shaders (4) and the links (0x80), and not for others. */
GPUMARK_SIM_EXPORT int rsmi_dev_ecc_count_get(std::uint32_t index, std::uint64_t block, ErrorCount* count) {
  return with_device(index, [&](Device& device) {
    const bool memory = block == 1;
    if (!count || (!memory && block != 4 && block != 0x80))
      return static_cast<int>(count ? kNotSupported : kInvalidArguments);
    *count = {};
    if (memory) count->uncorrectable = device.uncorrected_errors();
    if (memory) return static_cast<int>(kSuccess);
    const int code = give_health(&count->correctable, device, block == 4 ? "ras-corrected" : "xgmi-corrected", 0);
    return code ? code
                : give_health(&count->uncorrectable, device, block == 4 ? "ras-uncorrected" : "xgmi-uncorrected", 0);
  });
}

GPUMARK_SIM_EXPORT int rsmi_dev_pci_replay_counter_get(std::uint32_t index, std::uint64_t* count) {
  return with_device(index, [&](Device& device) { return give_health(count, device, "pcie-replays", 0); });
}

/** Without room for them their number. */
GPUMARK_SIM_EXPORT int rsmi_dev_memory_reserved_pages_get(std::uint32_t index, std::uint32_t* count,
                                                          RetiredPage* pages) {
  return with_device(index, [&](Device& device) {
    if (!count) return kInvalidArguments;
    constexpr const char* kKinds[] = {"bad-pages-retired", "bad-pages-pending", "bad-pages-unreservable"};
    std::uint32_t all = 0;
    for (int status = 0; status < 3; ++status) {
      std::uint32_t pages_of = 0;
      if (const int code = give_health(&pages_of, device, kKinds[status], 0)) return static_cast<Status>(code);
      for (std::uint32_t i = 0; i < pages_of && pages && all + i < *count; ++i)
        pages[all + i] = {.address = all + i, .size = 4096, .status = status};
      all += pages_of;
    }
    *count = all;
    return kSuccess;
  });
}

GPUMARK_SIM_EXPORT int rsmi_status_string(int status, const char** text) {
  return give(text, status == kSuccess        ? "RSMI_STATUS_SUCCESS"
                    : status == kNotSupported ? "RSMI_STATUS_NOT_SUPPORTED"
                    : status == kFileError    ? "RSMI_STATUS_FILE_ERROR"
                                              : "RSMI_STATUS: other");
}

}  // namespace gpumark::sim::rocm
