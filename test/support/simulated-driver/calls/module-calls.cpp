// Images, kernels and launches.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "calls/face.h"
#include "core/call-faults.h"
#include "core/image.h"
#include "core/settings.h"
#include "kernels.h"

namespace gpumark::sim {
namespace {

/** The largest alignment that any kernel argument needs. */
struct alignas(64) ArgumentWords {
  std::uint64_t words[8];
};

/**
 * CUDA_MODULE_LOADING must be set by the user only: a process that changes it itself, which would also affect other
 * libraries in it, ends here. /proc/self/environ shows the environment with which the process was started.
 */
void refuse_override(const char* mode) {
  static const std::string given = [] {
    std::ifstream file("/proc/self/environ", std::ios::binary);
    const std::string begin = "CUDA_MODULE_LOADING=";
    for (std::string one; std::getline(file, one, '\0');) {
      if (one.rfind(begin, 0) == 0) return one.substr(begin.size());
    }
    return std::string();
  }();
  if (given == (mode ? mode : "")) return;
  std::fprintf(stderr, "simulated driver: the process itself set CUDA_MODULE_LOADING to %s\n", mode ? mode : "nothing");
  _exit(99);
}

/**
 * Since 11.7, CUDA loads a kernel when it is first needed, unless CUDA_MODULE_LOADING is EAGER. Since 12.4, getting its
 * handle no longer loads it; cuFuncLoad was added to load it before the first launch.
 */
bool loads_late() {
  const char* mode = std::getenv("CUDA_MODULE_LOADING");
  refuse_override(mode);
  return kVendor == Vendor::nvidia && settings().cuda_version >= 12040 && !(mode && std::strcmp(mode, "EAGER") == 0);
}

/** A kernel that waits for the host draws no power, and one that does nothing hardly any. */
bool draws_power(const Kernel& kernel) {
  return std::strcmp(kernel.name, "gpumark_spin") != 0 && std::strcmp(kernel.name, "gpumark_empty") != 0;
}

}  // namespace

int call_module_load(Handle* handle, const void* image) {
  return with_device([&](Device& device) {
    if (!handle) return static_cast<int>(kInvalidValue);
    const auto module = std::make_shared<Module>();
    module->device = &device;
    if (const int code = read_image(device, image, &module->kernels)) return code;
    *handle = handles<Module>().add(module);
    return static_cast<int>(kOk);
  });
}

int call_module_unload(Handle handle) {
  if (const int code = driver_state()) return code;
  const auto module = handles<Module>().remove(handle);
  if (!module) return kInvalidHandle;
  handles<Function>().remove_if([&](const Function& function) { return function.module == module; });
  return module->device->failure();
}

int call_module_function(Handle* handle, Handle module_handle, const char* name) {
  return with_device([&](Device&) {
    const auto module = handles<Module>().find(module_handle);
    if (!module) return kInvalidHandle;
    if (!handle || !name) return kInvalidValue;
    const Kernel* kernel = module->kernels.count(name) ? find_kernel(name) : nullptr;
    if (!kernel) return kNotFound;
    *handle = handles<Function>().add(
        std::make_shared<Function>(Function{.module = module, .kernel = kernel, .loaded = !loads_late()}));
    return kOk;
  });
}

int call_launch(Handle function_handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared, Handle handle, void** arguments, void** extra) {
  return with_stream(handle, [&](Stream& stream) {
    const auto function = handles<Function>().find(function_handle);
    if (!function || function->module->device != &stream.device()) return static_cast<int>(kInvalidHandle);
    const Kernel& kernel = *function->kernel;
    const bool flat = grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1;
    if (!flat || grid_x == 0 || grid_x > 0x7fffffffu || grid_x % kernel.cluster != 0 || shared > function->shared_limit)
      return static_cast<int>(kInvalidValue);
    // Kernels are compiled for a fixed number of threads.
    if (block_x > kernel.threads) return static_cast<int>(kLaunchOutOfResources);
    if (block_x != kernel.threads || extra || !arguments || !arguments[0]) return static_cast<int>(kInvalidValue);
    const auto* first = static_cast<const unsigned char*>(arguments[0]);
    // The arguments are copied now: the caller may change them as soon as this call returns.
    std::vector<ArgumentWords> copy((kernel.argument_bytes + sizeof(ArgumentWords) - 1) / sizeof(ArgumentWords));
    std::memcpy(copy.data(), first, kernel.argument_bytes);
    Device& device = stream.device();
    if (!function->loaded && !stream.is_capturing()) device.drain();
    function->loaded = true;
    const LaunchFault fault = strike_launch(device);
    return stream.submit({.work =
                              [=, &device, &kernel] {
                                if (fault == LaunchFault::card_lost) device.lose();
                                if (fault != LaunchFault::none) return static_cast<int>(kLaunchFailed);
                                return run_launch(device, kernel, copy.data(), grid_x, shared);
                              },
                          .loads = draws_power(kernel)});
  });
}

}  // namespace gpumark::sim
