#include "core/memory-map.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

namespace gpumark::sim {
namespace {

/**
 * Real device memory is not initialised. Up to this many bytes of an allocation are filled with a pattern; filling
 * gigabytes would take too long.
 */
constexpr std::size_t kPoisonedBytes = 1 << 20;

}  // namespace

Allocation::Allocation(std::size_t bytes, Device* device) : bytes_(bytes), device_(device) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  data_ = memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
  if (data_ && device) std::memset(data_, 0xa5, std::min(bytes, kPoisonedBytes));
}

Allocation::~Allocation() {
  if (data_) munmap(data_, bytes_);
}

void MemoryMap::add(const std::shared_ptr<Allocation>& allocation) {
  const std::lock_guard lock(mutex_);
  allocations_[reinterpret_cast<std::uint64_t>(allocation->data())] = allocation;
}

std::shared_ptr<Allocation> MemoryMap::remove(std::uint64_t address, bool on_device) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || (found->second->device() != nullptr) != on_device) return nullptr;
  auto allocation = found->second;
  allocations_.erase(found);
  return allocation;
}

std::shared_ptr<Allocation> MemoryMap::find(std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& [start, allocation] = *std::prev(after);
  const std::uint64_t offset = address - start;
  return offset <= allocation->bytes() && bytes <= allocation->bytes() - offset ? allocation : nullptr;
}

void MemoryMap::remove_all(const Device* device) {
  const std::lock_guard lock(mutex_);
  std::erase_if(allocations_, [&](const auto& entry) { return entry.second->device() == device; });
}

MemoryMap& memory_map() {
  // Never destroyed: stream threads outlive main.
  static MemoryMap* const map = new MemoryMap;
  return *map;
}

}  // namespace gpumark::sim
