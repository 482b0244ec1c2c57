// Memory that ends at an inaccessible page: reading or writing one byte beyond it ends the process. Before it is a
// pattern that must not be overwritten.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace gpumark::numerics {

class GuardedArray {
 public:
  /**
   * All bytes are 0xff, a NaN in every format. Arrays that consist of whole 16-byte vectors are aligned to 16 bytes, as
   * copies require.
   */
  explicit GuardedArray(std::size_t bytes) : bytes_(bytes), mapped_((bytes + kFront + kPage - 1) / kPage * kPage) {
    void* base = mmap(nullptr, mapped_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(static_cast<char*>(base) + mapped_, kPage, PROT_NONE) != 0) std::abort();
    base_ = static_cast<unsigned char*>(base);
    std::memset(base_, kPattern, mapped_ - bytes_);
    std::memset(data(), 0xff, bytes_);
  }
  ~GuardedArray() { munmap(base_, mapped_ + kPage); }
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;

  void* data() const { return base_ + mapped_ - bytes_; }
  bool front_is_whole() const {
    for (std::size_t i = 0; i < mapped_ - bytes_; ++i) {
      if (base_[i] != kPattern) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kPage = 4096, kFront = 4096;
  static constexpr unsigned char kPattern = 0xa5;
  std::size_t bytes_, mapped_;
  unsigned char* base_;
};

}  // namespace gpumark::numerics
