// A loaded and started matrix library of the vendor's: cuBLASLt or hipBLASLt.
#pragma once
#include <memory>
#include <string>

#include "gpu/gemm/library-search.h"
#include "gpu/gemm/vendor-blas-table.h"
#include "gpu/gemm/vendor-types.h"

namespace gpumark {

/** Numbers that both libraries need and number differently. */
struct VendorNumbers {
  int transpose_a, transpose_b, max_workspace, scale_pointer_a, scale_pointer_b, scale_mode_a, scale_mode_b;
  std::int32_t plain, transposed;
};

class VendorLibrary {
 public:
  /**
   * The first candidate of the search that has all calls and starts on the calling thread's device; null with the
   * reason, which names every place. What was once started stays loaded for good: it may hold on to the device.
   */
  static std::shared_ptr<VendorLibrary> open(const GpuDriver& driver, const SearchEnvironment& environment,
                                             std::string& reason);
  /** On a thread that has entered the device. */
  ~VendorLibrary();
  VendorLibrary(const VendorLibrary&) = delete;
  VendorLibrary& operator=(const VendorLibrary&) = delete;

  const VendorBlasTable& call() const { return table_; }
  Handle handle() const { return handle_; }
  const VendorNumbers& numbers() const;
  bool is_nvidia() const { return vendor_ == GpuVendor::nvidia; }
  /** "libcublasLt.so.13", and where it lies. */
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const LibraryVersion& version() const { return version_; }
  /** The test suite's library, which says so itself. */
  bool simulated() const { return simulated_; }

  /** The call's symbol: "cublasLtMatmul" of "Matmul". */
  std::string symbol(const char* call) const { return std::string(is_nvidia() ? "cublasLt" : "hipblasLt") + call; }
  /** "CUBLAS_STATUS_NOT_SUPPORTED" */
  std::string status_name(int status) const;
  /** The library says that it cannot, which is no fault. */
  bool declines(int status) const;
  /** @throws GpuError unless the status is success; kOutOfMemory where memory is what was missing */
  void check(int status, const char* call) const;

 private:
  VendorLibrary(GpuVendor vendor, void* loaded) : vendor_(vendor), loaded_(loaded) {}
  std::string bind();
  std::string wrong_driver(const GpuDriver& driver) const;
  std::string start();

  GpuVendor vendor_;
  void* loaded_;
  VendorBlasTable table_;
  Handle handle_ = nullptr;
  std::string name_, path_;
  LibraryVersion version_;
  bool simulated_ = false;
};

}  // namespace gpumark
