// The two GPU vendors as far as this build goes: says whether a driver and a device are there, and why neither can be measured.
#include <dlfcn.h>

#include "backends/backend.h"

namespace gpumark {
namespace {

struct VendorDriver {
  const char* backend;
  const char* vendor;
  std::vector<const char*> libraries;
  /** unsigned-flags initialiser and int* counter; both ABIs agree on these two shapes. */
  const char* initialise;
  const char* count_devices;
  /** Codes of the driver that mean "loaded, but no device here" (the library may be installed on a machine without a card). */
  std::vector<int> no_device_codes;
  std::vector<int> too_old_codes;
};

const VendorDriver kCuda = {"cuda", "nvidia", {"libcuda.so.1"}, "cuInit", "cuDeviceGetCount", {100, 101}, {35, 803}};
const VendorDriver kRocm = {"rocm",    "amd",        {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                            "hipInit", "hipGetDeviceCount", {100, 101}, {35}};

bool contains(const std::vector<int>& codes, int code) {
  for (const int known : codes) {
    if (known == code) return true;
  }
  return false;
}

class AbsentGpuBackend : public Backend {
 public:
  explicit AbsentGpuBackend(const VendorDriver& driver) : driver_(driver) {}
  const char* name() const override { return driver_.backend; }

  std::vector<Device> list(const RunOptions&) override {
    std::string first_error;
    for (const char* library : driver_.libraries) {
      if (void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)) return {probe(handle, library)};
      const char* why = dlerror();
      if (first_error.empty()) first_error = why ? why : "the library could not be loaded";
    }
    return {entry("no-driver", first_error)};
  }

  std::unique_ptr<Session> open(const Device&, const RunOptions&, Recorder&) override { return nullptr; }

 private:
  Device entry(const char* status, const std::string& detail) const {
    Device device;
    device.backend = driver_.backend;
    device.vendor = driver_.vendor;
    device.status = status;
    device.detail = detail;
    device.device_id = driver_.backend;
    device.name = driver_.vendor;
    return device;
  }

  /** The library stays loaded: drivers do not promise to survive dlclose. */
  Device probe(void* handle, const char* library) const {
    const auto initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(handle, driver_.initialise));
    const auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(handle, driver_.count_devices));
    if (!initialise || !count_devices) return entry("error", std::string(library) + " lacks the driver entry points");
    int count = 0;
    int code = initialise(0);
    if (code == 0) code = count_devices(&count);
    if (contains(driver_.no_device_codes, code) || (code == 0 && count == 0)) {
      return entry("no-device", std::string(library) + " is installed, but it reports no device");
    }
    if (contains(driver_.too_old_codes, code)) return entry("driver-too-old", std::string(library) + " is too old for its kernel module or this runner");
    if (code != 0) return entry("error", std::string(driver_.initialise) + " failed with code " + std::to_string(code));
    Device found = entry("error", std::string("this build has no kernels for ") + driver_.vendor + " devices yet");
    found.attributes.text("driver_library", library).integer("device_count", count);
    return found;
  }

  const VendorDriver& driver_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend() { return std::make_unique<AbsentGpuBackend>(kCuda); }
std::unique_ptr<Backend> make_rocm_backend() { return std::make_unique<AbsentGpuBackend>(kRocm); }

}  // namespace gpumark
