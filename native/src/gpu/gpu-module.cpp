#include "gpu/gpu-module.h"

namespace gpumark {
namespace {

/** CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES (cuda.h); without it a launch gets 48 KiB at most. */
constexpr int kMostSharedBytes = 8;
/**
 * CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: all that there is, so that as many blocks fit as were planned
 * for.
 */
constexpr int kSharedCarveout = 9;
constexpr int kAllShared = 100;
constexpr unsigned kSharedWithoutAsking = 48 << 10;

}  // namespace

GpuModule::GpuModule(const GpuDriver& driver, const std::string& architecture, ImageSet set) : driver_(driver) {
  for (const DeviceImage& image : images_for(driver.vendor(), architecture, set)) {
    code_ = driver.call().module_load(&module_, image.data);
    if (code_ == 0) {
      image_ = image.described();
      return;
    }
    refused_ +=
        (refused_.empty() ? "" : ", ") + image.architecture + " " + image.kind + ": " + driver.error_name(code_);
    module_ = nullptr;
  }
  if (!refused_.empty()) return;
  for (const std::string& name : image_names(set)) refused_ += (refused_.empty() ? "this build has " : ", ") + name;
}

GpuModule::~GpuModule() {
  if (module_) driver_.call().module_unload(module_);
}

Handle GpuModule::find(const std::string& kernel) {
  const auto known = functions_.find(kernel);
  if (known != functions_.end()) return known->second;
  Handle function = nullptr;
  const int code = driver_.call().module_function(&function, module_, kernel.c_str());
  if (code != gpu_code::kNotFound) driver_.check(code, kernel.c_str());
  // CUDA's default is to load a kernel when it is first used (CUDA_MODULE_LOADING is the user's business); until 12.3
  // finding it is using it, since 12.4 it would be its first launch, which would wait for the kernel that holds the
  // stream.
  if (code == 0 && driver_.call().cu_function_load)
    driver_.check(driver_.call().cu_function_load(function), kernel.c_str());
  return functions_[kernel] = code == 0 ? function : nullptr;
}

void GpuModule::allow_shared(Handle function, unsigned bytes) const {
  if (bytes == 0 || !driver_.is_nvidia()) return;
  driver_.check(driver_.call().cu_function_attribute(function, kSharedCarveout, kAllShared),
                "asking for shared memory");
  if (bytes <= kSharedWithoutAsking) return;
  driver_.check(driver_.call().cu_function_attribute(function, kMostSharedBytes, static_cast<int>(bytes)),
                "asking for shared memory");
}

}  // namespace gpumark
