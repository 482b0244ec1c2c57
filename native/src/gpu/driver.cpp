#include "gpu/driver.h"

#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>

#include "gpu/vendor.h"

namespace gpumark {

bool GpuDriver::load_library() {
  const OpenedLibrary opened = open_library(vendor_.driver_library, vendor_.driver_folders());
  if (!opened.handle) {
    fail("no-driver", opened.problem);
    return false;
  }
  handle_ = opened.handle;
  library_ = opened.path;
  simulated_ = look_up("gpumark_simulated_driver") != nullptr;
  return true;
}

void* GpuDriver::look_up(const char* symbol) const { return dlsym(handle_, symbol); }

void GpuDriver::start() {
  if (!missing_.empty())
    return fail("driver-too-old", library_ + " has no " + missing_ + ", which came with " + vendor_.oldest_release);
  int code = table_.init(0);
  if (code == 0) code = table_.device_count(&device_count_);
  using namespace gpu_code;
  // A runtime without any device answers "invalid device" as often as "no device".
  if (code == kNoDevice || code == kInvalidDevice || (code == 0 && device_count_ == 0)) {
    return fail("no-device", library_ + " is installed, but it reports no device", code);
  }
  if (code == kStubLibrary)
    return fail("no-driver", library_ + " is a stub library for linking, without a driver", code);
  if (code == kInsufficientDriver || code == kSystemDriverMismatch || code == kCompatNotSupported) {
    return fail("driver-too-old",
                library_ + " and the kernel module do not fit together: " + error_name(code) + " (" +
                    std::to_string(code) + ")",
                code);
  }
  if (code == kSystemNotReady) {
    return fail("error",
                "the driver waits for the service that sets up NVLink: start nvidia-fabricmanager (" +
                    error_name(code) + ", " + std::to_string(code) + ")",
                code);
  }
  if (code != 0)
    fail("error", library_ + " does not start: " + error_name(code) + " (" + std::to_string(code) + ")", code);
}

int GpuDriver::attribute(int number, int device, int fallback) const {
  int value = 0;
  return number >= 0 && table_.device_attribute(&value, number, device) == 0 ? value : fallback;
}

const GpuDriver& driver_of(const Vendor& vendor) {
  static std::mutex mutex;
  static std::map<const Vendor*, const GpuDriver*> started;
  const std::lock_guard<std::mutex> hold(mutex);
  const GpuDriver*& driver = started[&vendor];
  if (!driver) driver = vendor.make_driver().release();
  return *driver;
}

}  // namespace gpumark
