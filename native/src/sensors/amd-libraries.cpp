#include "sensors/amd-libraries.h"

#include <cstdio>
#include <dlfcn.h>

#include "installed-libraries.h"

namespace gpumark {
namespace {

/** As of 2026 ROCm SMI is at 1 (the ROCm 7 packages) to 7, AMD SMI at 27 (ROCm 10). */
constexpr LibraryNames kRocmSmi = {"librocm_smi64", 12, 1, true};
constexpr LibraryNames kAmdSmi = {"libamd_smi", 48, 24, true};

constexpr const char* kDoesNotStart = "it does not start, or lacks a call";

void* open_for(const LibraryNames& names, std::string& problem) {
  const OpenedLibrary opened = open_library(names, rocm_folders());
  problem = opened.problem;
  return opened.handle;
}

struct PciAddress {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  explicit PciAddress(const std::string& id) {
    std::sscanf(id.c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function);
  }
};

}  // namespace

const AmdLibrary<RsmiTable>& rocm_smi() {
  static const AmdLibrary<RsmiTable> library = [] {
    AmdLibrary<RsmiTable> l;
    void* const handle = open_for(kRocmSmi, l.problem);
    if (!handle) return l;
#define GPUMARK_BIND(member, symbol, parameters) \
  l.call.member = reinterpret_cast<decltype(l.call.member)>(dlsym(handle, symbol));
    GPUMARK_RSMI_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
    l.usable = l.call.init && l.call.count && l.call.pci_id && l.call.init(0) == 0;
    if (!l.usable) l.problem = kDoesNotStart;
    return l;
  }();
  return library;
}

const AmdLibrary<AmdsmiTable>& amd_smi() {
  static const AmdLibrary<AmdsmiTable> library = [] {
    AmdLibrary<AmdsmiTable> l;
    void* const handle = open_for(kAmdSmi, l.problem);
    if (!handle) return l;
#define GPUMARK_BIND(member, symbol, parameters) \
  l.call.member = reinterpret_cast<decltype(l.call.member)>(dlsym(handle, symbol));
    GPUMARK_AMDSMI_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
    l.usable = l.call.init && l.call.by_pci && l.call.energy && l.call.init(amdsmi::kGpus) == 0;
    if (!l.usable) l.problem = kDoesNotStart;
    return l;
  }();
  return library;
}

std::string amd_libraries_problem() { return "ROCm SMI: " + rocm_smi().problem + "; AMD SMI: " + amd_smi().problem; }

/** Bits 28-31 of ROCm SMI's id hold the partition and are masked. */
int rsmi_index(const std::string& pci_id) {
  const auto& smi = rocm_smi();
  std::uint32_t count = 0;
  if (!smi.usable || smi.call.count(&count) != 0) return -1;
  const PciAddress wanted(pci_id);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t id = 0;
    if (smi.call.pci_id(i, &id) != 0) continue;
    if ((id >> 32) == wanted.domain && (id >> 8 & 0xff) == wanted.bus && (id >> 3 & 0x1f) == wanted.device &&
        (id & 7) == wanted.function)
      return static_cast<int>(i);
  }
  return -1;
}

void* amdsmi_handle(const std::string& pci_id) {
  if (!amd_smi().usable) return nullptr;
  const PciAddress a(pci_id);
  const std::uint64_t bdf = std::uint64_t{a.domain} << 16 | a.bus << 8 | a.device << 3 | a.function;
  void* handle = nullptr;
  return amd_smi().call.by_pci(bdf, &handle) == 0 ? handle : nullptr;
}

bool amd_has_lost(const std::string& pci_id) {
  return (rocm_smi().usable || amd_smi().usable) && rsmi_index(pci_id) < 0 && !amdsmi_handle(pci_id);
}

}  // namespace gpumark
