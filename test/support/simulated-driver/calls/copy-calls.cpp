// Copies and fills, in stream order.
#include <algorithm>
#include <cstring>
#include <vector>

#include "calls/copy.h"

namespace gpumark::sim {
namespace {

/** The device side of a copy: the whole range must be device memory, else null. */
std::shared_ptr<Allocation> device_range(DevicePointer address, std::size_t bytes) {
  auto allocation = memory_map().find(address, bytes);
  return allocation && allocation->device() ? allocation : nullptr;
}

/** Copies to and from memory that is not pinned are complete when the call returns, as they may be in real drivers. */
int submit_host_copy(Stream& stream, void* to, const void* from, std::size_t bytes,
                     std::shared_ptr<Allocation> on_device, const void* host) {
  auto pinned = memory_map().find(reinterpret_cast<std::uint64_t>(host), bytes);
  const bool waits = !pinned && !stream.is_capturing();
  const int code = stream.submit({.work = [=] {
    std::memcpy(to, from, bytes);
    // Kept alive until here.
    static_cast<void>(on_device), static_cast<void>(pinned);
    return 0;
  }});
  if (code == kOk && waits) stream.wait();
  return code;
}

}  // namespace

int submit_copy(Stream& stream, DevicePointer to, DevicePointer from, std::size_t bytes, bool staged) {
  const auto target = device_range(to, bytes);
  const auto source = device_range(from, bytes);
  if (!target || !source) return kInvalidValue;
  return stream.submit({.work = [=] {
    auto* written = target->data() + (to - reinterpret_cast<std::uint64_t>(target->data()));
    const auto* read = source->data() + (from - reinterpret_cast<std::uint64_t>(source->data()));
    if (!staged) {
      std::memcpy(written, read, bytes);
      return 0;
    }
    // Without peer access, the copy goes through host memory.
    std::vector<unsigned char> stage(1 << 20);
    for (std::size_t done = 0; done < bytes; done += stage.size()) {
      const std::size_t part = std::min(bytes - done, stage.size());
      std::memcpy(stage.data(), read + done, part);
      std::memcpy(written + done, stage.data(), part);
    }
    return 0;
  }});
}

int call_copy_to_device(DevicePointer to, const void* from, std::size_t bytes, Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    auto target = device_range(to, bytes);
    if (!target || !from) return static_cast<int>(kInvalidValue);
    return submit_host_copy(stream, reinterpret_cast<void*>(to), from, bytes, std::move(target), from);
  });
}

int call_copy_to_host(void* to, DevicePointer from, std::size_t bytes, Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    auto source = device_range(from, bytes);
    if (!source || !to) return static_cast<int>(kInvalidValue);
    return submit_host_copy(stream, to, reinterpret_cast<const void*>(from), bytes, std::move(source), to);
  });
}

int call_fill_bytes(DevicePointer to, unsigned char value, std::size_t bytes, Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    const auto target = device_range(to, bytes);
    if (!target) return static_cast<int>(kInvalidValue);
    return stream.submit({.work = [=] {
      std::memset(target->data() + (to - reinterpret_cast<std::uint64_t>(target->data())), value, bytes);
      return 0;
    }});
  });
}

}  // namespace gpumark::sim
