// A page-aligned block for kernels: huge pages are requested, and no page is touched before a worker does (first touch
// decides the NUMA node).
#pragma once
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace gpumark {

class HostMemory {
 public:
  explicit HostMemory(std::size_t bytes) : bytes_((bytes + kHugePage - 1) / kHugePage * kHugePage) {
    // Over-allocated by one huge page so that the block can start on a huge-page border.
    mapped_ =
        mmap(nullptr, bytes_ + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) {
      mapped_ = nullptr;
      return;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    start_ = reinterpret_cast<void*>((address + kHugePage - 1) / kHugePage * kHugePage);
    madvise(start_, bytes_, MADV_HUGEPAGE);
  }
  ~HostMemory() {
    if (mapped_) munmap(mapped_, bytes_ + kHugePage);
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /** False if the allocation failed; the block must not be used then. */
  explicit operator bool() const { return start_ != nullptr; }
  template <class T>
  T* as() const {
    return static_cast<T*>(start_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  std::size_t bytes_;
  void* mapped_ = nullptr;
  void* start_ = nullptr;
};

}  // namespace gpumark
