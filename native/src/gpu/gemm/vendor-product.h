// One product as the vendor's library describes it: an operation, three layouts, and the algorithms it proposes.
#pragma once
#include <memory>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gemm/vendor-library.h"

namespace gpumark {

/** Something the library created, given back by itself. */
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
   * What the library proposes, by its own order, without those that it says would fail. Empty: see declined(). @throws
   * GpuError
   */
  std::vector<VendorAlgorithm> propose(std::size_t workspace_bytes);
  /** Enqueues. @throws GpuError */
  void multiply(const GemmOperands& operands, const VendorAlgorithm& algorithm, DevicePointer workspace,
                std::size_t workspace_bytes, Handle stream) const;

 private:
  /** False once the library declined; later calls are not made. */
  bool accepted(int status, const char* call);
  /** Where the scales of the left and of the right operand lie. @returns the library's status */
  int set_scales(DevicePointer of_left, DevicePointer of_right) const;

  std::shared_ptr<VendorLibrary> library_;
  VendorTypes types_;
  GemmShape shape_;
  VendorObject operation_, left_, right_, result_;
  std::string declined_;
};

}  // namespace gpumark
