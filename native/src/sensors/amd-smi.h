// AMD devices: ROCm SMI, else AMD SMI, and the kernel's files for values that neither has. Found by PCI id.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sensors/device-sensor.h"

namespace gpumark {

/**
 * Adds driver_version, vbios, serial, power cap, partition, free memory, ECC mode, health, and `pcie` with its replays.
 */
void add_amd_facts(const std::string& sysfs_root, const std::string& pci_id, JsonObject pcie, JsonObject& attributes);
std::optional<double> amd_free_bytes(const std::string& sysfs_root, const std::string& pci_id);
std::unique_ptr<DeviceSensor> make_amd_sensor(const std::string& sysfs_root, const std::string& pci_id);
/** The amdgpu driver's sensor folder of this device, or empty. */
std::filesystem::path amd_hwmon_folder(const std::string& sysfs_root, const std::string& pci_id);

}  // namespace gpumark
