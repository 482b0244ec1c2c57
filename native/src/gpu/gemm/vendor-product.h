// One product in the vendor's library: an operation, three layouts, and the proposed algorithms.
#pragma once
#include <memory>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gemm/vendor-library.h"

namespace gpumark {

/** An object created by the library, destroyed automatically. */
class VendorObject {
 public:
  explicit VendorObject(int (*destroy)(Handle)) : destroy_(destroy) {}
  ~VendorObject() {
    if (handle_) destroy_(handle_);
  }
  VendorObject(const VendorObject&) = delete;
  VendorObject& operator=(const VendorObject&) = delete;
  Handle* out() { return &handle_; }
  Handle get() const { return handle_; }

 private:
  int (*destroy_)(Handle);
  Handle handle_ = nullptr;
};

class VendorProduct {
 public:
  /** @throws GpuError; declined() instead if the library has no such product */
  VendorProduct(std::shared_ptr<VendorLibrary> library, const VendorTypes& types, const GemmShape& shape);

  /** "cublasLtMatmulDescCreate answers CUBLAS_STATUS_NOT_SUPPORTED (15)", or empty. */
  const std::string& declined() const { return declined_; }
  const VendorLibrary& library() const { return *library_; }
  const VendorTypes& types() const { return types_; }
  /**
   * The library's proposals in its own order, without those that it reports as failing. Empty: see declined(). @throws
   * GpuError
   */
  std::vector<VendorAlgorithm> propose(std::size_t workspace_bytes);
  /** Enqueues. @throws GpuError */
  void multiply(const GemmOperands& operands, const VendorAlgorithm& algorithm, DevicePointer workspace,
                std::size_t workspace_bytes, Handle stream) const;

 private:
  /** False once the library has declined; no later calls are made. */
  bool accepted(int status, const char* call);
  /** Sets the addresses of the left and right operand's scales. @returns the library's status */
  int set_scales(DevicePointer of_left, DevicePointer of_right) const;

  std::shared_ptr<VendorLibrary> library_;
  VendorTypes types_;
  GemmShape shape_;
  VendorObject operation_, left_, right_, result_;
  std::string declined_;
};

}  // namespace gpumark
