#include "gpu/gpu-device.h"

#include <cctype>
#include <cstring>
#include <fstream>
#include <map>

#include "gpu/vendor.h"

namespace gpumark {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // Some drivers write the domain with eight digits.
  return text.size() == 16 && text.rfind("0000", 0) == 0 ? text.substr(4) : text;
}

}  // namespace

GpuDevice identify(const GpuDriver& driver, int ordinal, const std::string& sysfs_root) {
  const DriverTable& call = driver.call();
  const GpuAttributes& number = driver.vendor().attributes;
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
  driver.name(d, has_uuid ? uuid : nullptr);
  d.id = !d.uuid.empty() ? d.uuid : d.pci_id.empty() ? "" : "pci-" + d.pci_id;
  d.architecture = driver.architecture(d.handle);
  if (d.name.empty()) d.name = d.architecture;
  if (d.architecture.empty()) {
    d.problem = "the driver did not say which architecture the device has";
    return d;
  }
  if (refused(call.device_memory(&d.memory_bytes, d.handle), "asking for the memory size")) return d;
  d.l2_bytes = static_cast<std::size_t>(driver.attribute(number.l2_bytes, d.handle));
  d.multiprocessors = driver.attribute(number.multiprocessors, d.handle);
  if (d.multiprocessors == 0) {
    d.problem = "the driver did not say how many multiprocessors the device has";
    return d;
  }
  d.shared_bytes = driver.attribute(number.shared_bytes, d.handle, d.shared_bytes);
  d.integrated = driver.attribute(number.integrated, d.handle) != 0;
  if (number.timer_khz >= 0) d.timer_hz = driver.attribute(number.timer_khz, d.handle, 100000) * 1e3;
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
