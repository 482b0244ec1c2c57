// Static facts about an AMD device from ROCm SMI, AMD SMI and the kernel.
#include <cstdlib>

#include "sensors/amd-health.h"
#include "sensors/amd-libraries.h"
#include "sensors/amd-smi.h"
#include "sensors/sysfs.h"

namespace gpumark {
namespace {

void add_text(JsonObject& to, const char* key, const std::string& value) {
  value.empty() ? to.null(key) : to.text(key, value);
}

/**
 * Whether the memory has ECC; nullopt if unknown. HIP's attribute (hipDeviceAttributeEccEnabled) is useless: the
 * runtime returns 0 for every device.
 */
std::optional<bool> ecc_enabled(const std::filesystem::path& folder, const std::string& pci_id, int index) {
  std::uint64_t blocks = 0;
  if (index >= 0 && rocm_smi().call.ecc_enabled &&
      rocm_smi().call.ecc_enabled(static_cast<std::uint32_t>(index), &blocks) == 0)
    return (blocks & rsmi::kUmcBlock) != 0;
  void* const handle = amdsmi_handle(pci_id);
  if (handle && amd_smi().call.ecc_enabled && amd_smi().call.ecc_enabled(handle, &blocks) == 0)
    return (blocks & rsmi::kUmcBlock) != 0;
  // "feature mask: 0x3fff"
  const std::string features = read_text(folder / "ras" / "features"), head = "feature mask: ";
  if (features.rfind(head, 0) != 0) return std::nullopt;
  return (std::strtoull(features.c_str() + head.size(), nullptr, 16) & rsmi::kUmcBlock) != 0;
}

}  // namespace

std::optional<double> amd_free_bytes(const std::string& sysfs_root, const std::string& pci_id) {
  const auto folder = pci_folder(sysfs_root, pci_id);
  const auto total = read_number(folder / "mem_info_vram_total", 1),
             used = read_number(folder / "mem_info_vram_used", 1);
  return total && used ? within(*total - *used, 0, *total) : std::nullopt;
}

void add_amd_facts(const std::string& sysfs_root, const std::string& pci_id, JsonObject pcie, JsonObject& attributes) {
  const auto folder = pci_folder(sysfs_root, pci_id);
  add_text(attributes, "driver_version", read_text(sysfs_root + "/module/amdgpu/version"));
  const int index = rsmi_index(pci_id);
  const std::filesystem::path hwmon = amd_hwmon_folder(sysfs_root, pci_id);
  add_text(attributes, "telemetry",
           index >= 0         ? "ROCm SMI"
           : amd_smi().usable ? "AMD SMI"
           : hwmon.empty()    ? ""
                              : "sysfs");
  if (index < 0 && !amd_smi().usable && hwmon.empty())
    attributes.text("telemetry_problem",
                    "neither ROCm SMI nor AMD SMI is usable, and the kernel shows no sensors of this device (" +
                        amd_libraries_problem() + ")");
  std::string vbios = read_text(folder / "vbios_version"), serial = read_text(folder / "serial_number");
  std::optional<double> cap = read_number(hwmon / "power1_cap", 1e-6);
  if (index >= 0) {
    const RsmiTable& call = rocm_smi().call;
    const auto device = static_cast<std::uint32_t>(index);
    char text[128] = {};
    std::uint64_t microwatts = 0;
    if (vbios.empty() && call.vbios && call.vbios(device, text, sizeof text) == 0) vbios = text;
    if (serial.empty() && call.serial && call.serial(device, text, sizeof text) == 0) serial = text;
    if (!cap && call.power_cap && call.power_cap(device, 0, &microwatts) == 0)
      cap = static_cast<double>(microwatts) * 1e-6;
  }
  add_text(attributes, "vbios", vbios);
  add_text(attributes, "serial", serial);
  attributes.number("power_cap_watts", within(cap, 0, kMaxWatts))
      .number("memory_free_bytes", amd_free_bytes(sysfs_root, pci_id));
  const std::optional<bool> ecc = ecc_enabled(folder, pci_id, index);
  ecc ? attributes.text("ecc_mode", *ecc ? "enabled" : "disabled") : attributes.null("ecc_mode");
  const std::string compute = read_text(folder / "current_compute_partition"),
                    memory = read_text(folder / "current_memory_partition");
  if (compute.empty() && memory.empty()) {
    attributes.null("partition");
  } else {
    JsonObject partition;
    add_text(partition, "compute", compute);
    add_text(partition, "memory", memory);
    attributes.object("partition", partition);
  }
  FactWriter facts(attributes);
  const AmdCard card(sysfs_root, pci_id);
  const Number replays = card.replays();
  if (!replays.value) facts.note("pcie.replays", replays.problem);
  attributes.object("pcie", pcie.number("replays", replays.value));
  if (!ecc) facts.note("ecc_mode", "neither a library nor the kernel tells it");
  add_amd_health(card, attributes, facts);
  facts.finish();
}

}  // namespace gpumark
