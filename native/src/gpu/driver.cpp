#include "gpu/driver.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "gpu/attributes.h"
#include "library-names.h"

namespace gpumark {
namespace {

/** HIP's number is ROCm's own: 7 and 10 in 2026. CUDA's driver has kept its 1 since 2008. */
constexpr int kNewestHip = 16, kOldestHip = 5;

std::vector<std::string> libraries(GpuVendor vendor) {
  return vendor == GpuVendor::nvidia ? versioned_names("libcuda", 1, 1)
                                     : versioned_names("libamdhip64", kNewestHip, kOldestHip);
}

template <class Function>
bool bind(void* handle, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, symbol));
  return function != nullptr;
}

}  // namespace

GpuDriver::GpuDriver(GpuVendor vendor) : vendor_(vendor) {
  if (load()) start();
}

bool GpuDriver::load() {
  std::string first_error;
  for (const std::string& name : libraries(vendor_)) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      library_ = name;
      break;
    }
    const char* why = dlerror();
    // What is wrong with a library that is there says more than that others are not; of those, the name without a
    // number is the last.
    const std::string text = why ? why : "the library could not be loaded";
    const auto is_absent = [](const std::string& error) {
      return error.find("cannot open shared object file") != std::string::npos;
    };
    if (first_error.empty() || is_absent(first_error)) first_error = text;
  }
  if (!handle_) {
    fail("no-driver", first_error);
    return false;
  }
  simulated_ = dlsym(handle_, "gpumark_simulated_driver") != nullptr;
  std::string missing;
  const auto need = [&](bool bound, const char* symbol) {
    if (!bound && missing.empty()) missing = symbol;
  };
  const bool nvidia = is_nvidia();
#define GPUMARK_BIND(member, cuda, hip, parameters) \
  need(bind(handle_, nvidia ? cuda : hip, table_.member), nvidia ? cuda : hip);
  GPUMARK_DRIVER_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
#define GPUMARK_BIND(member, symbol, parameters) need(bind(handle_, symbol, table_.member), symbol);
  if (nvidia) {
    GPUMARK_CUDA_CALLS(GPUMARK_BIND)
  } else {
    GPUMARK_HIP_CALLS(GPUMARK_BIND)
    need(bind(handle_, "hipGetErrorName", table_.hip_error_name), "hipGetErrorName");
    // The layout behind the first name changed with ROCm 6, which kept the old one under the old name.
    need(bind(handle_, "hipGetDevicePropertiesR0600", table_.hip_properties) ||
             bind(handle_, "hipGetDeviceProperties", table_.hip_properties),
         "hipGetDeviceProperties");
  }
#undef GPUMARK_BIND
#define GPUMARK_BIND(member, symbol, parameters) bind(handle_, symbol, table_.member);
  if (nvidia) {
    GPUMARK_CUDA_NEWER_CALLS(GPUMARK_BIND)
  }
#undef GPUMARK_BIND
  if (missing.empty()) return true;
  fail("driver-too-old",
       library_ + " has no " + missing + (nvidia ? ", which came with CUDA 11.4" : ", which came with ROCm 5"));
  return false;
}

void GpuDriver::start() {
  int code = table_.init(0);
  if (code == 0) code = table_.device_count(&device_count_);
  using namespace gpu_code;
  // A runtime without any device answers "invalid device" as often as "no device".
  if (code == kNoDevice || code == kInvalidDevice || (code == 0 && device_count_ == 0)) {
    return fail("no-device", library_ + " is installed, but it reports no device");
  }
  if (code == kStubLibrary) return fail("no-driver", library_ + " is the one to link with, without a driver behind it");
  if (code == kInsufficientDriver || code == kSystemDriverMismatch || code == kCompatNotSupported) {
    return fail("driver-too-old", library_ + " and the kernel module do not fit together: " + error_name(code) + " (" +
                                      std::to_string(code) + ")");
  }
  if (code == kSystemNotReady) {
    return fail("error", "the driver waits for the service that sets up NVLink: start nvidia-fabricmanager (" +
                             error_name(code) + ", " + std::to_string(code) + ")");
  }
  if (code != 0) fail("error", library_ + " does not start: " + error_name(code) + " (" + std::to_string(code) + ")");
}

std::string GpuDriver::runtime_version() const {
  int version = 0;
  if (table_.driver_version(&version) != 0 || version <= 0) return "";
  if (is_nvidia()) return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  // HIP: major * 10^7 + minor * 10^5 + patch.
  return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100) + "." +
         std::to_string(version % 100000);
}

std::string GpuDriver::error_name(int code) const {
  const char* name = nullptr;
  if (table_.cu_error_name) table_.cu_error_name(code, &name);
  if (table_.hip_error_name) name = table_.hip_error_name(code);
  return name ? name : "unknown error";
}

int GpuDriver::attribute(int number, int device, int fallback) const {
  int value = 0;
  return number >= 0 && table_.device_attribute(&value, number, device) == 0 ? value : fallback;
}

std::string GpuDriver::architecture(int device) const {
  if (is_nvidia()) {
    const GpuAttributes& a = attributes_of(vendor_);
    const int major = attribute(a.capability_major, device), minor = attribute(a.capability_minor, device);
    return "sm_" + std::to_string(major) + std::to_string(minor);
  }
  // gcnArchName is the only text of the structure that begins with gfx; "gfx90a:sramecc+:xnack-" is cut at the colon.
  constexpr std::size_t kRoom = 8192;
  std::vector<char> properties(kRoom, 0);
  if (table_.hip_properties(properties.data(), device) != 0) return "";
  for (std::size_t i = 0; i + 8 < kRoom; ++i) {
    if (std::memcmp(&properties[i], "gfx", 3) != 0) continue;
    std::string name;
    for (std::size_t j = i; j < i + 16 && std::isalnum(static_cast<unsigned char>(properties[j])); ++j)
      name += properties[j];
    return name;
  }
  return "";
}

}  // namespace gpumark
