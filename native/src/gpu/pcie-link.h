// Current generation and width of a device's PCIe link; both drop while a device is idle.
#pragma once
#include <optional>
#include <string>

#include "gpu/vendor.h"

namespace gpumark {

struct PcieLink {
  std::optional<double> generation, width, generation_max, width_max;
  JsonObject object() const {
    return JsonObject{}
        .number("generation_max", generation_max)
        .number("generation_current", generation)
        .number("width_max", width_max)
        .number("width_current", width);
  }
};

PcieLink read_pcie_link(const Vendor& vendor, const std::string& pci_id, const std::string& sysfs_root);

}  // namespace gpumark
