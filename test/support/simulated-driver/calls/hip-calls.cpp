// Calls that only HIP's runtime has: each thread has a current device from the start; properties, links.
#include <cstring>

#include "calls/copy.h"
#include "core/call-faults.h"
#include "core/loud.h"

namespace gpumark::sim {
namespace {

Talker talker("libamdhip64");
thread_local int current = 0;

/**
 * Size of hipDeviceProp_t and offsets of its fields totalGlobalMem and gcnArchName, which changed with ROCm 6. The name
 * is at offset 0 in both versions.
 */
struct PropertiesLayout {
  std::size_t size, total_memory, architecture;
};
constexpr PropertiesLayout kBefore6 = {792, 256, 396};
constexpr PropertiesLayout kSince6 = {1472, 288, 1160};

int fill_properties(void* properties, int ordinal, const PropertiesLayout& layout) {
  if (const int code = driver_state()) return code;
  const Device* device = device_at(ordinal);
  if (!device) return kInvalidDevice;
  if (!properties) return kInvalidValue;
  auto* bytes = static_cast<char*>(properties);
  std::memset(bytes, 0, layout.size);
  std::strncpy(bytes, device->name.c_str(), 255);
  const std::size_t total = device->total_bytes();
  std::memcpy(bytes + layout.total_memory, &total, sizeof total);
  // The names of CDNA architectures include the two modes to which code objects may be bound.
  const bool cdna = device->architecture.warp_size == 64;
  const std::string full = device->architecture.name + (cdna ? ":sramecc+:xnack-" : "");
  std::strncpy(bytes + layout.architecture, full.c_str(), 255);
  return kOk;
}

}  // namespace

int driver_state() {
  const int state = machine(kVendor).state;
  return state ? state : strike_call(kVendor);
}

int current_device(Device** device) {
  if (const int code = driver_state()) return code;
  *device = device_at(current);
  if (!*device) return kInvalidDevice;
  if (!(*device)->has_context()) (*device)->retain();
  return kOk;
}

int call_init(unsigned flags) {
  talker.called();
  return flags == 0 ? driver_state() : static_cast<int>(kInvalidValue);
}

#define GPUMARK_SIM_DECLARE(member, symbol, parameters) GPUMARK_SIM_EXPORT int call_##member parameters __asm__(symbol);
GPUMARK_HIP_CALLS(GPUMARK_SIM_DECLARE)
#undef GPUMARK_SIM_DECLARE

int call_hip_set_device(int ordinal) {
  if (const int code = driver_state()) return code;
  Device* device = device_at(ordinal);
  if (!device) return kInvalidDevice;
  if (const int code = device->failure()) return code;
  current = ordinal;
  return kOk;
}

int call_hip_enable_peer(int peer_ordinal, unsigned flags) {
  return with_device([&](Device& device) {
    const Device* peer = device_at(peer_ordinal);
    if (flags != 0) return static_cast<int>(kInvalidValue);
    return peer ? device.enable_peer(*peer) : static_cast<int>(kInvalidDevice);
  });
}

int call_hip_copy_peer(DevicePointer to, int to_device, DevicePointer from, int from_device, std::size_t bytes,
                       Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    Device* target = device_at(to_device);
    Device* source = device_at(from_device);
    if (!target || !source) return static_cast<int>(kInvalidDevice);
    if (const int code = target->failure() ? target->failure() : source->failure()) return code;
    return submit_copy(stream, to, from, bytes, !source->reaches(target) && !target->reaches(source));
  });
}

/** HSA_AMD_LINK_INFO_TYPE: 2 PCIe, 4 xGMI. */
int call_hip_link_type(int ordinal, int peer_ordinal, std::uint32_t* link_type, std::uint32_t* hops) {
  if (const int code = driver_state()) return code;
  const Device* device = device_at(ordinal);
  const Device* peer = device_at(peer_ordinal);
  if (!device || !peer || device == peer) return kInvalidDevice;
  if (!link_type || !hops) return kInvalidValue;
  const bool linked = device->links_to(*peer) > 0;
  *link_type = linked ? 4 : 2;
  *hops = linked ? 1 : 2;
  return kOk;
}

GPUMARK_SIM_EXPORT const char* hipGetErrorName(int code) {
  const char* name = error_name(kVendor, code);
  return name ? name : "hipErrorUnknown";
}

GPUMARK_SIM_EXPORT int hipGetDeviceProperties(void* properties, int ordinal) {
  return fill_properties(properties, ordinal, kBefore6);
}
GPUMARK_SIM_EXPORT int hipGetDevicePropertiesR0600(void* properties, int ordinal) {
  return fill_properties(properties, ordinal, kSince6);
}

}  // namespace gpumark::sim
