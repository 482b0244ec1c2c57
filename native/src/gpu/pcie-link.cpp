#include "gpu/pcie-link.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace gpumark {
namespace {

/** PCI Express generation by the transfer rate of a lane in GT/s. */
std::optional<double> generation_of(std::optional<double> rate) {
  constexpr double kRates[] = {2.5, 5, 8, 16, 32, 64};
  for (int i = 0; rate && i < 6; ++i) {
    if (std::fabs(*rate - kRates[i]) < 0.01) return i + 1;
  }
  return std::nullopt;
}

}  // namespace

PcieLink read_pcie_link(const Vendor& vendor, const std::string& pci_id, const std::string& sysfs_root) {
  const auto read = [&](const std::string& name) {
    std::ifstream file(sysfs_root + "/bus/pci/devices/" + pci_id + "/" + name);
    double value = 0;
    return file >> value && value > 0 ? std::optional<double>(value) : std::nullopt;
  };
  // The card's folder is a link to one within that of the port above it: a fast card in a slower slot is at its best
  // there.
  const auto most = [&](const std::string& name) {
    const auto card = read(name), slot = read("../" + name);
    return card && slot ? std::optional<double>(std::min(*card, *slot)) : card;
  };
  PcieLink link{generation_of(read("current_link_speed")), read("current_link_width"),
                generation_of(most("max_link_speed")), most("max_link_width")};
  vendor.refine_pcie_link(pci_id, link);
  return link;
}

}  // namespace gpumark
