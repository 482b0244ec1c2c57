#include "gpu/gpu-module.h"

namespace gpumark {
GpuModule::GpuModule(const GpuDriver& driver, const std::string& architecture, ImageSet set) : driver_(driver) {
  for (const DeviceImage& image : images_for(architecture, set)) {
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
  if (code == 0) driver_.check(driver_.load_function(function), kernel.c_str());
  return functions_[kernel] = code == 0 ? function : nullptr;
}

void GpuModule::allow_shared(Handle function, unsigned bytes) const {
  if (bytes > 0) driver_.check(driver_.allow_shared(function, bytes), "asking for shared memory");
}

}  // namespace gpumark
