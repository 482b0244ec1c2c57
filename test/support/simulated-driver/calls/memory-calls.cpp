// Device memory and pinned host memory.
#include "calls/face.h"
#include "core/memory-map.h"

namespace gpumark::sim {
namespace {

/** For calls that affect the whole device: they fail during a capture, and invalidate it. */
template <class Body>
int with_undisturbed_device(Body body) {
  return with_device([&](Device& device) {
    const int code = disturb_captures(kVendor);
    return code ? code : body(device);
  });
}

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

int call_memory_info(std::size_t* free_bytes, std::size_t* total_bytes) {
  return with_device([&](Device& device) {
    if (!free_bytes || !total_bytes) return kInvalidValue;
    *free_bytes = device.free_bytes();
    *total_bytes = device.total_bytes();
    return kOk;
  });
}

int call_allocate(DevicePointer* memory, std::size_t bytes) {
  return with_undisturbed_device([&](Device& device) { return device.allocate(bytes, memory); });
}

int call_release(DevicePointer memory) {
  return with_undisturbed_device([&](Device& device) { return device.release(memory); });
}

int call_allocate_host(void** memory, std::size_t bytes, unsigned) {
  return with_undisturbed_device([&](Device&) {
    if (!memory || bytes == 0) return kInvalidValue;
    const auto allocation = std::make_shared<Allocation>(bytes, nullptr);
    if (!allocation->data()) return kOutOfMemory;
    memory_map().add(allocation);
    *memory = allocation->data();
    return kOk;
  });
}

int call_release_host(void* memory) {
  return with_undisturbed_device([&](Device& device) {
    if (!memory) return kVendor == Vendor::amd ? kOk : kInvalidValue;
    device.drain();
    return memory_map().remove(number(memory), false) ? kOk : kInvalidValue;
  });
}

int call_host_address(DevicePointer* address, void* memory, unsigned flags) {
  return with_device([&](Device&) {
    const auto allocation = memory_map().find(number(memory), 1);
    if (!address || flags != 0 || !allocation || allocation->device()) return kInvalidValue;
    *address = number(memory);
    return kOk;
  });
}

}  // namespace gpumark::sim
