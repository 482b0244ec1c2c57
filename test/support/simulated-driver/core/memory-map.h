// Every allocation of the process. Device memory and pinned host memory are both host memory here, with the same
// address on the host and on all devices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace gpumark::sim {

class Device;

/** One allocation. All its users hold the shared pointer, so that freeing it too early is an error and not a crash. */
class Allocation {
 public:
  /** @param device null for pinned host memory. data() is null if the host is out of memory. */
  Allocation(std::size_t bytes, Device* device);
  ~Allocation();
  Allocation(const Allocation&) = delete;

  unsigned char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  Device* device() const { return device_; }

 private:
  std::size_t bytes_;
  Device* device_;
  unsigned char* data_;
};

class MemoryMap {
 public:
  void add(const std::shared_ptr<Allocation>& allocation);
  /** Removes the allocation of this kind that begins at `address`; null if there is none. */
  std::shared_ptr<Allocation> remove(std::uint64_t address, bool on_device);
  /** The allocation that contains all of [address, address + bytes), or null. */
  std::shared_ptr<Allocation> find(std::uint64_t address, std::size_t bytes);
  /** Removes all allocations on `device`. */
  void remove_all(const Device* device);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Allocation>> allocations_;
};

MemoryMap& memory_map();

}  // namespace gpumark::sim
