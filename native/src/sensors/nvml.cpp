#include "sensors/nvml.h"

#include <cctype>
#include <cstring>
#include <dlfcn.h>

#include "installed-libraries.h"

namespace gpumark {

const Nvml& Nvml::instance() {
  static const Nvml nvml;
  return nvml;
}

Nvml::Nvml() {
  const OpenedLibrary opened = open_library({"libnvidia-ml", 1, 1, false}, nvidia_driver_folders());
  void* const handle = opened.handle;
  if (!handle) {
    problem_ = "NVML is not installed: " + opened.problem;
    return;
  }
#define GPUMARK_BIND(member, symbol, parameters) \
  table_.member = reinterpret_cast<decltype(table_.member)>(dlsym(handle, symbol));
  GPUMARK_NVML_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
  const int code = table_.init ? table_.init() : -1;
  if (code == nvml::kNoPermission) {
    problem_ = "this user may not use NVML (no permission on the device files)";
  } else if (code != 0) {
    problem_ = "NVML does not start (code " + std::to_string(code) + ")";
  }
}

NvmlDevice Nvml::find(const std::string& pci_id, std::string& problem) const {
  NvmlDevice device = nullptr;
  problem = problem_;
  if (!problem_.empty()) return nullptr;
  const int code = table_.by_pci ? table_.by_pci(pci_id.c_str(), &device) : -1;
  if (code == 0) return device;
  problem = code == nvml::kNoPermission
                ? "this user may not read this device through NVML (no permission)"
                : "NVML does not know device " + pci_id + " (code " + std::to_string(code) + ")";
  return nullptr;
}

std::optional<decltype(NvmlFieldValue::value)> Nvml::field(NvmlDevice device, unsigned id) const {
  NvmlFieldValue one;
  std::memset(&one, 0, sizeof one);
  one.field_id = id;
  one.scope_id = nvml::kScopeGpu;
  return table_.fields && table_.fields(device, 1, &one) == 0 && one.result == 0 ? std::optional(one.value)
                                                                                 : std::nullopt;
}

std::optional<std::string> Nvml::text(int (*call)(NvmlDevice, char*, unsigned), NvmlDevice device) {
  char value[128] = {};
  if (!call || call(device, value, sizeof value) != 0 || value[0] == '\0') return std::nullopt;
  return std::string(value);
}

bool nvml_has_lost(const std::string& pci_id) {
  const Nvml& nvml = Nvml::instance();
  NvmlDevice device = nullptr;
  return nvml.problem().empty() && nvml.call().by_pci &&
         nvml.call().by_pci(pci_id.c_str(), &device) == nvml::kGpuIsLost;
}

std::string kernel_pci_id(const char* nvml_id) {
  std::string id(nvml_id);
  for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return id.size() == 16 && id.rfind("0000", 0) == 0 ? id.substr(4) : id;
}

}  // namespace gpumark
