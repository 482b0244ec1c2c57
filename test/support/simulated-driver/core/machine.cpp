#include "core/machine.h"

#include <algorithm>

#include "core/settings.h"

namespace gpumark::sim {
namespace {

Machine* build(Vendor vendor) {
  auto* built = new Machine;
  const auto& architectures = vendor == Vendor::nvidia ? settings().nvidia_architectures : settings().amd_architectures;
  const int count = settings().fault("no-device", -1) ? 0 : settings().devices;
  for (int i = 0; i < count; ++i) {
    // The last architecture of a shorter list applies to all further devices.
    const std::string& name =
        architectures[std::min<std::size_t>(static_cast<std::size_t>(i), architectures.size() - 1)];
    built->devices.push_back(std::make_unique<Device>(Architecture::named(vendor, name), i));
  }
  built->visible = visible_devices(vendor, built->devices);
  if (settings().driver_too_old(vendor)) {
    built->state = vendor == Vendor::nvidia ? kDriverMismatch : kInsufficientDriver;
  } else if (built->visible.empty()) {
    built->state = kNoDevice;
  }
  return built;
}

}  // namespace

Device* Machine::visible_device(int ordinal) const {
  return ordinal >= 0 && static_cast<std::size_t>(ordinal) < visible.size() ? visible[static_cast<std::size_t>(ordinal)]
                                                                            : nullptr;
}

Machine& machine(Vendor vendor) {
  if (vendor == Vendor::nvidia) {
    static Machine* const nvidia = build(Vendor::nvidia);
    return *nvidia;
  }
  static Machine* const amd = build(Vendor::amd);
  return *amd;
}

int devices_beside(const Device& device) {
  return static_cast<int>(machine(device.architecture.vendor).devices.size()) - 1;
}

}  // namespace gpumark::sim
