// A loaded device image: its kernels by name.
#pragma once
#include <map>
#include <string>

#include "gpu/driver.h"
#include "gpu/images.h"

namespace gpumark {

/** How a kernel is laid over the device. The threads of a block are those that the kernel was compiled for. */
struct Launch {
  unsigned blocks = 1;
  unsigned threads = 256;
  /** Shared memory beyond what the kernel declares. */
  unsigned shared_bytes = 0;
};

class GpuModule {
 public:
  /** Loads the first image of `set` that the driver takes, on the calling thread's device. Check loaded(). */
  GpuModule(const GpuDriver& driver, const std::string& architecture, ImageSet set);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  bool loaded() const { return module_ != nullptr; }
  /** "sm_90 cubin", once it is loaded. */
  const std::string& image() const { return image_; }
  /** What the driver said of each image, or which images there are if none fits: for people. */
  const std::string& refused() const { return refused_; }
  /** The driver's last answer. */
  int code() const { return code_; }
  /**
   * Null if the image has no kernel of this name. What it finds is loaded. @throws GpuError for any other failure
   */
  Handle find(const std::string& kernel);
  /**
   * Lets launches of this kernel ask for so much shared memory, and the device prefer it to a cache. @throws GpuError
   */
  void allow_shared(Handle function, unsigned bytes) const;

 private:
  const GpuDriver& driver_;
  Handle module_ = nullptr;
  int code_ = gpu_code::kNoBinary;
  std::string image_, refused_;
  std::map<std::string, Handle> functions_;
};

}  // namespace gpumark
