// NVML, loaded once: identity and health of NVIDIA devices, found by PCI id and never by index.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sensors/device-sensor.h"
#include "sensors/nvml-table.h"

namespace gpumark {

class Nvml {
 public:
  /** The singleton; loads and initialises NVML on first use. Never throws. */
  static const Nvml& instance();
  /** Empty if NVML works, else why not: no library, no permission. */
  const std::string& problem() const { return problem_; }
  const NvmlTable& call() const { return table_; }
  /** Null with `problem` set if NVML does not know the device or refuses it. */
  NvmlDevice find(const std::string& pci_id, std::string& problem) const;

  /** Reads one unsigned value; nullopt if the call is missing, fails or sets all bits. */
  static std::optional<double> number(int (*call)(NvmlDevice, unsigned*), NvmlDevice device) {
    unsigned value = 0;
    const bool read = call && call(device, &value) == 0 && value != UINT32_MAX;
    return read ? std::optional<double>(value) : std::nullopt;
  }
  /** The value of one field of the device itself; nullopt if the driver or the device does not support it. */
  std::optional<decltype(NvmlFieldValue::value)> field(NvmlDevice device, unsigned id) const;
  static std::optional<std::string> text(int (*call)(NvmlDevice, char*, unsigned), NvmlDevice device);

 private:
  Nvml();
  NvmlTable table_;
  std::string problem_;
};

/**
 * `mig_uuid` is the instance's if the device is one: its memory and its processes are not the card's. Adds
 * driver_version, uuid, pcie, vbios, serial, ecc, power caps, MIG, NVLink and the rest; without NVML adds the reason as
 * telemetry_problem.
 */
void add_nvml_facts(const std::string& pci_id, const std::string& mig_uuid, JsonObject& attributes);
/** NVML works and says that the device has fallen off the bus. */
bool nvml_has_lost(const std::string& pci_id);
/** The PCI id of NVML in the kernel's form: "00000000:17:00.0" -> "0000:17:00.0". */
std::string kernel_pci_id(const char* nvml_id);
/** Other processes that hold the device's memory: "process 4711, process 4712"; see holders.h. */
std::string nvml_holders(const std::string& pci_id, const std::string& mig_uuid, bool has_context);
/** "NVLink x18", "PCIe PIX", ... between two devices, or "" if unknown. */
std::string nvml_connection(const std::string& pci_id, const std::string& peer_pci_id);
std::unique_ptr<DeviceSensor> make_nvml_sensor(const std::string& pci_id, bool is_mig);

}  // namespace gpumark
