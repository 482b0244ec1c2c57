// All vendors. To add one: declare its table here, list it in vendors(), and add its file beside nvidia.cpp and its
// driver's.
#pragma once
#include "gpu/vendor.h"

namespace gpumark {

extern const Vendor kNvidia, kAmd;

std::unique_ptr<GpuDriver> make_cuda_driver();
std::unique_ptr<GpuDriver> make_hip_driver();
std::shared_ptr<VendorLibrary> make_cublaslt(void* loaded);
std::shared_ptr<VendorLibrary> make_hipblaslt(void* loaded);

}  // namespace gpumark
