#include "gpu/gpu-device.h"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "gpu/attributes.h"

namespace gpumark {
namespace {

/** 16 bytes to "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". */
std::string uuid_text(const char bytes[16]) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(bytes[i]));
    text += two;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

/** HIP gives the 16 characters of the unique id as text; boards without one give nothing or zeros. */
std::string amd_uuid(const char bytes[16]) {
  std::string text;
  for (int i = 0; i < 16 && std::isxdigit(static_cast<unsigned char>(bytes[i])); ++i) text += bytes[i];
  return text.size() < 8 || text.find_first_not_of('0') == std::string::npos ? "" : "GPU-" + text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // Some drivers write the domain with eight digits.
  return text.size() == 16 && text.rfind("0000", 0) == 0 ? text.substr(4) : text;
}

}  // namespace

GpuDevice identify(const GpuDriver& driver, int ordinal, const std::string& sysfs_root) {
  const DriverTable& call = driver.call();
  const GpuAttributes& number = attributes_of(driver.vendor());
  GpuDevice d;
  d.ordinal = ordinal;
  const auto refused = [&](int code, const char* what) {
    if (code != 0) d.problem = GpuError(what, code, driver.error_name(code)).what();
    return code != 0;
  };
  if (refused(call.device_get(&d.handle, ordinal), "looking up a device")) return d;
  char text[256] = {};
  if (call.device_pci_id(text, sizeof text, d.handle) == 0) d.pci_id = lower(text);
  std::memset(text, 0, sizeof text);
  if (call.device_name(text, sizeof text - 1, d.handle) == 0) d.name = text;
  char uuid[16] = {};
  const bool has_uuid = call.device_uuid(uuid, d.handle) == 0;
  if (driver.is_nvidia()) {
    // The name of a slice ends with its profile: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
    d.is_mig = d.name.find(" MIG ") != std::string::npos;
    if (has_uuid) d.uuid = (d.is_mig ? "MIG-" : "GPU-") + uuid_text(uuid);
  } else if (has_uuid) {
    d.uuid = amd_uuid(uuid);
  }
  d.id = !d.uuid.empty() ? d.uuid : d.pci_id.empty() ? "" : "pci-" + d.pci_id;
  d.architecture = driver.architecture(d.handle);
  if (d.name.empty()) d.name = d.architecture;
  if (refused(call.device_memory(&d.memory_bytes, d.handle), "asking for the memory size")) return d;
  d.l2_bytes = static_cast<std::size_t>(driver.attribute(number.l2_bytes, d.handle));
  d.multiprocessors = driver.attribute(number.multiprocessors, d.handle);
  d.shared_bytes = driver.attribute(number.shared_bytes, d.handle, d.shared_bytes);
  d.integrated = driver.attribute(number.integrated, d.handle) != 0;
  if (!driver.is_nvidia()) d.timer_hz = driver.attribute(number.timer_khz, d.handle, 100000) * 1e3;
  std::ifstream numa(sysfs_root + "/bus/pci/devices/" + d.pci_id + "/numa_node");
  if (!(numa >> d.numa_node)) d.numa_node = -1;
  return d;
}

std::vector<GpuDevice> identify_all(const GpuDriver& driver, const std::string& sysfs_root) {
  std::vector<GpuDevice> devices;
  std::map<std::string, int> seen;
  for (int ordinal = 0; ordinal < driver.device_count(); ++ordinal) {
    GpuDevice device = identify(driver, ordinal, sysfs_root);
    const int copies = seen[device.id]++;
    if (copies > 0 && !device.id.empty()) device.id += "-partition-" + std::to_string(copies);
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace gpumark
