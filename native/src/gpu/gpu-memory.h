// RAII owners of device memory, pinned host memory, streams and events.
#pragma once
#include "gpu/gpu-context.h"

namespace gpumark {

class GpuMemory {
 public:
  /** @throws GpuError with gpu_code::kOutOfMemory if the device does not have that much left */
  GpuMemory(const GpuContext& gpu, std::size_t bytes) : gpu_(gpu), bytes_(bytes) {
    gpu.check(gpu.call().allocate(&address_, bytes), "allocating device memory");
  }
  ~GpuMemory() { gpu_.call().release(address_); }
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  DevicePointer address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(address_);
  }
  /** Enqueues a fill with 0xff bytes on the context's stream: no valid output looks like that. */
  void poison() const {
    gpu_.check(gpu_.call().fill_bytes(address_, 0xff, bytes_, gpu_.stream()), "poisoning an output");
  }
  void clear() const { gpu_.check(gpu_.call().fill_bytes(address_, 0, bytes_, gpu_.stream()), "clearing memory"); }
  /** Copies the first bytes to the host and waits for them. */
  template <class T>
  std::vector<T> read(std::size_t count, std::size_t first = 0) const {
    std::vector<T> values(count);
    gpu_.check(gpu_.call().copy_to_host(values.data(), address_ + first * sizeof(T), count * sizeof(T), gpu_.stream()),
               "copying to the host");
    gpu_.wait();
    return values;
  }

 private:
  const GpuContext& gpu_;
  DevicePointer address_ = 0;
  std::size_t bytes_;
};

class PinnedMemory {
 public:
  PinnedMemory(const GpuContext& gpu, std::size_t bytes) : gpu_(gpu), bytes_(bytes) {
    gpu.check(gpu.call().allocate_host(&memory_, bytes, 1), "pinning host memory");
  }
  ~PinnedMemory() { gpu_.call().release_host(memory_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  const GpuContext& gpu_;
  void* memory_ = nullptr;
  std::size_t bytes_;
};

class GpuStream {
 public:
  explicit GpuStream(const GpuContext& gpu) : gpu_(gpu), handle_(gpu.new_stream()) {}
  ~GpuStream() { gpu_.call().stream_destroy(handle_); }
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;
  Handle handle() const { return handle_; }

 private:
  const GpuContext& gpu_;
  Handle handle_;
};

class GpuEvent {
 public:
  explicit GpuEvent(const GpuContext& gpu) : gpu_(gpu) {
    gpu.check(gpu.call().event_create(&handle_, 0), "creating an event");
  }
  ~GpuEvent() { gpu_.call().event_destroy(handle_); }
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;
  Handle handle() const { return handle_; }

 private:
  const GpuContext& gpu_;
  Handle handle_ = nullptr;
};

}  // namespace gpumark
