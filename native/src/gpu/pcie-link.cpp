#include "gpu/pcie-link.h"

#include <cmath>
#include <fstream>

#include "sensors/nvml.h"

namespace gpumark {
namespace {

/** Transfer rate of a lane in GT/s to the generation of the PCI Express specification. */
std::optional<double> generation_of(std::optional<double> rate) {
  constexpr double kRates[] = {2.5, 5, 8, 16, 32, 64};
  for (int i = 0; rate && i < 6; ++i) {
    if (std::fabs(*rate - kRates[i]) < 0.01) return i + 1;
  }
  return std::nullopt;
}

}  // namespace

PcieLink read_pcie_link(GpuVendor vendor, const std::string& pci_id, const std::string& sysfs_root) {
  const auto read = [&](const char* name) {
    std::ifstream file(sysfs_root + "/bus/pci/devices/" + pci_id + "/" + name);
    double value = 0;
    return file >> value && value > 0 ? std::optional<double>(value) : std::nullopt;
  };
  PcieLink link{generation_of(read("current_link_speed")), read("current_link_width"),
                generation_of(read("max_link_speed")), read("max_link_width")};
  if (vendor != GpuVendor::nvidia) return link;
  std::string problem;
  const Nvml& nvml = Nvml::instance();
  NvmlDevice device = nvml.find(pci_id, problem);
  if (!device) return link;
  const auto prefer = [&](std::optional<double>& value, int (*call)(NvmlDevice, unsigned*)) {
    if (const auto known = Nvml::number(call, device)) value = known;
  };
  prefer(link.generation, nvml.call().pcie_generation);
  prefer(link.width, nvml.call().pcie_width);
  prefer(link.generation_max, nvml.call().pcie_generation_max);
  prefer(link.width_max, nvml.call().pcie_width_max);
  return link;
}

}  // namespace gpumark
