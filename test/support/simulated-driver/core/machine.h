// All cards of one vendor, and which of them the environment shows to a process.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"

namespace gpumark::sim {

struct Machine {
  std::vector<std::unique_ptr<Device>> devices;
  /** What the driver enumerates, in its order. Telemetry sees all devices. */
  std::vector<Device*> visible;
  /** What initialising the driver gives. */
  int state = 0;

  /** By the ordinal that the driver uses; null if there is none. */
  Device* visible_device(int ordinal) const;
};

/** The machine's cards of a vendor, the same for driver and telemetry. Never destroyed. */
Machine& machine(Vendor vendor);

/** Which of `devices` CUDA_VISIBLE_DEVICES, or ROCR_ and HIP_VISIBLE_DEVICES, leave, as the drivers read them. */
std::vector<Device*> visible_devices(Vendor vendor, const std::vector<std::unique_ptr<Device>>& devices);

}  // namespace gpumark::sim
