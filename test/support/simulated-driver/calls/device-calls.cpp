// The devices and their properties.
#include <cstring>

#include "calls/attributes.h"
#include "calls/face.h"
#include "core/settings.h"

/** The runner looks for this symbol: results on this driver are not those of a GPU. */
GPUMARK_SIM_EXPORT int gpumark_simulated_driver;
int gpumark_simulated_driver = 1;

namespace gpumark::sim {
namespace {

/** As with both vendors, the text is truncated to fit and always ends in a zero byte. */
int copy_text(char* to, int length, const std::string& text) {
  if (!to || length <= 0) return kInvalidValue;
  std::strncpy(to, text.c_str(), static_cast<std::size_t>(length) - 1);
  to[length - 1] = '\0';
  return kOk;
}

/** body(Device&) for the device with this ordinal, regardless of any context and of the device's health. */
template <class Body>
int about(int ordinal, Body body) {
  if (const int code = driver_state()) return code;
  Device* device = device_at(ordinal);
  return device ? body(*device) : static_cast<int>(kInvalidDevice);
}

std::string pci_id(const Device& device) {
  // CUDA uses upper case, HIP lower case.
  char text[16];
  std::snprintf(text, sizeof text, kVendor == Vendor::nvidia ? "0000:%02X:00.0" : "0000:%02x:00.0", device.pci_bus);
  return text;
}

}  // namespace

int call_device_count(int* count) {
  if (const int code = driver_state()) return code;
  if (!count) return kInvalidValue;
  *count = static_cast<int>(machine(kVendor).visible.size());
  return kOk;
}

int call_driver_version(int* version) {
  if (!version) return kInvalidValue;
  const Fault* old = settings().fault("old-driver", -1);
  *version =
      kVendor == Vendor::nvidia ? (old ? 9000 : settings().cuda_version) : (old ? 40020496 : settings().hip_version);
  return kOk;
}

int call_device_get(int* device, int ordinal) {
  return about(ordinal, [&](Device&) {
    if (!device) return kInvalidValue;
    *device = ordinal;
    return kOk;
  });
}

int call_device_name(char* name, int length, int ordinal) {
  return about(ordinal, [&](Device& device) { return copy_text(name, length, device.name); });
}

int call_device_uuid(char uuid[16], int ordinal) {
  return about(ordinal, [&](Device& device) {
    if (!uuid) return kInvalidValue;
    std::memcpy(uuid, device.uuid.data(), device.uuid.size());
    return kOk;
  });
}

int call_device_pci_id(char* text, int length, int ordinal) {
  return about(ordinal, [&](Device& device) { return copy_text(text, length, pci_id(device)); });
}

int call_device_attribute(int* value, int attribute, int ordinal) {
  return about(ordinal,
               [&](Device& device) { return value && read_attribute(device, attribute, value) ? kOk : kInvalidValue; });
}

int call_device_memory(std::size_t* bytes, int ordinal) {
  return about(ordinal, [&](Device& device) {
    if (!bytes) return kInvalidValue;
    *bytes = device.total_bytes();
    return kOk;
  });
}

int call_can_access_peer(int* can, int ordinal, int peer) {
  return about(ordinal, [&](Device& device) {
    const Device* other = device_at(peer);
    if (!can) return kInvalidValue;
    if (!other) return kInvalidDevice;
    *can = device.can_reach(*other) ? 1 : 0;
    return kOk;
  });
}

}  // namespace gpumark::sim
