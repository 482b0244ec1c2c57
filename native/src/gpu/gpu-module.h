// A loaded device image: its kernels by name.
#pragma once
#include <map>
#include <string>

#include "gpu/driver.h"
#include "gpu/images.h"

namespace gpumark {

/** Launch configuration. The number of threads per block is the one that the kernel was compiled for. */
struct Launch {
  unsigned blocks = 1;
  unsigned threads = 256;
  /** Shared memory beyond what the kernel declares. */
  unsigned shared_bytes = 0;
};

class GpuModule {
 public:
  /** Loads the first image of `set` that the driver accepts, on the calling thread's device. Check loaded(). */
  GpuModule(const GpuDriver& driver, const std::string& architecture, ImageSet set);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  bool loaded() const { return module_ != nullptr; }
  /** "sm_90 cubin", once it is loaded. */
  const std::string& image() const { return image_; }
  /** The driver's error for each image, or the list of images if none fits; for people. */
  const std::string& refused() const { return refused_; }
  /** The driver's last result code. */
  int code() const { return code_; }
  /** Finds and loads a kernel; null if the image has none of this name. @throws GpuError for any other failure */
  Handle find(const std::string& kernel);
  /**
   * Allows launches of this kernel to request `bytes` of shared memory, and prefers shared memory over cache. @throws
   * GpuError
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
