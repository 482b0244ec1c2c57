// Calls that only CUDA's driver has: explicit initialisation, contexts, peers by context.
#include <atomic>
#include <cstdio>

#include "calls/copy.h"
#include "core/call-faults.h"
#include "core/loud.h"
#include "core/tensor-map.h"

namespace gpumark::sim {
namespace {

Talker talker("libcuda");
std::atomic<bool> initialised{false};
/** The handle of a context is its device, since there is only the primary context. */
thread_local Device* current = nullptr;

/** The device of a context handle, or null if that context does not exist (any more). */
Device* device_of(Handle context) {
  for (Device* device : machine(kVendor).visible) {
    if (device == context && device->has_context()) return device;
  }
  return nullptr;
}

}  // namespace

int driver_state() { return initialised ? strike_call(kVendor) : static_cast<int>(kNotInitialized); }

int current_device(Device** device) {
  if (const int code = driver_state()) return code;
  if (!current || !current->has_context()) return kInvalidContext;
  *device = current;
  return kOk;
}

int call_init(unsigned flags) {
  talker.called();
  if (flags != 0) return kInvalidValue;
  const int state = machine(kVendor).state;
  if (state == kOk) initialised = true;
  return state;
}

#define GPUMARK_SIM_DECLARE(member, symbol, parameters) GPUMARK_SIM_EXPORT int call_##member parameters __asm__(symbol);
GPUMARK_CUDA_CALLS(GPUMARK_SIM_DECLARE)
GPUMARK_CUDA_NEWER_CALLS(GPUMARK_SIM_DECLARE)
#undef GPUMARK_SIM_DECLARE

int call_cu_error_name(int code, const char** name) {
  if (!name) return kInvalidValue;
  *name = error_name(kVendor, code);
  return *name ? kOk : kInvalidValue;
}

int call_cu_context_retain(Handle* context, int ordinal) {
  if (const int code = driver_state()) return code;
  Device* device = device_at(ordinal);
  if (!device) return kInvalidDevice;
  if (!context) return kInvalidValue;
  if (const int code = device->failure()) return code;
  device->retain();
  *context = device;
  return kOk;
}

int call_cu_context_release(int ordinal) {
  if (const int code = driver_state()) return code;
  Device* device = device_at(ordinal);
  if (!device) return kInvalidDevice;
  if (!device->has_context()) return kInvalidContext;
  device->release_context();
  return kOk;
}

/** Releases every reference. */
int call_cu_context_reset(int ordinal) {
  if (const int code = driver_state()) return code;
  Device* device = device_at(ordinal);
  if (!device) return kInvalidDevice;
  while (device->has_context()) device->release_context();
  return kOk;
}

int call_cu_context_set(Handle context) {
  if (const int code = driver_state()) return code;
  Device* device = context ? device_of(context) : nullptr;
  if (context && !device) return kInvalidContext;
  current = device;
  return kOk;
}

int call_cu_enable_peer(Handle peer_context, unsigned flags) {
  return with_device([&](Device& device) {
    const Device* peer = device_of(peer_context);
    if (flags != 0) return static_cast<int>(kInvalidValue);
    return peer ? device.enable_peer(*peer) : static_cast<int>(kInvalidContext);
  });
}

int call_cu_copy_peer(DevicePointer to, Handle to_context, DevicePointer from, Handle from_context, std::size_t bytes,
                      Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    Device* target = device_of(to_context);
    Device* source = device_of(from_context);
    if (!target || !source) return static_cast<int>(kInvalidContext);
    if (const int code = target->failure() ? target->failure() : source->failure()) return code;
    return submit_copy(stream, to, from, bytes, !source->reaches(target) && !target->reaches(source));
  });
}

/** CU_DEVICE_P2P_ATTRIBUTE_*: 1 performance rank, 2 access, 3 atomics, 4 arrays. Rank 0 is the fastest. */
int call_cu_p2p_attribute(int* value, int attribute, int source_ordinal, int target_ordinal) {
  if (const int code = driver_state()) return code;
  const Device* source = device_at(source_ordinal);
  const Device* target = device_at(target_ordinal);
  if (!source || !target || source == target) return kInvalidDevice;
  if (!value || attribute < 1 || attribute > 4) return kInvalidValue;
  const bool linked = source->links_to(*target) > 0;
  *value = attribute == 1 ? (linked ? 0 : 1) : attribute == 2 ? source->can_reach(*target) : linked;
  return kOk;
}

int call_cu_function_attribute(Handle handle, int attribute, int value) {
  return with_device([&](Device& device) {
    // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    constexpr int kMostSharedBytes = 8;
    // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, a percentage: only a hint.
    constexpr int kSharedCarveout = 9;
    const auto function = handles<Function>().find(handle);
    if (!function) return static_cast<int>(kInvalidHandle);
    if (attribute == kSharedCarveout) return static_cast<int>(value >= -1 && value <= 100 ? kOk : kInvalidValue);
    if (attribute != kMostSharedBytes || value < 0 || value > device.architecture.shared_bytes)
      return static_cast<int>(kInvalidValue);
    function->shared_limit = static_cast<unsigned>(value);
    return static_cast<int>(kOk);
  });
}

int call_cu_function_load(Handle handle) {
  return with_device([&](Device&) {
    const auto function = handles<Function>().find(handle);
    if (!function) return static_cast<int>(kInvalidHandle);
    function->loaded = true;
    return static_cast<int>(kOk);
  });
}

/** Prints what is wrong with a request, which the real driver does not do. */
int call_cu_tensor_map_encode(void* map, int type, std::uint32_t rank, void* address, const std::uint64_t* sizes,
                              const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* steps,
                              int interleave, int swizzle, int promotion, int fill) {
  return with_device([&](Device& device) {
    if (device.architecture.major < 9) return static_cast<int>(kInvalidValue);
    const char* why =
        encode_tensor_map({map, type, rank, address, sizes, strides, box, steps, interleave, swizzle, promotion, fill});
    if (why) std::fprintf(stderr, "simulated driver: tensor map: %s\n", why);
    return static_cast<int>(why ? kInvalidValue : kOk);
  });
}

}  // namespace gpumark::sim
