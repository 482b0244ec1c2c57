// All cards of one vendor, and which of them are visible to the process.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"

namespace gpumark::sim {

struct Machine {
  std::vector<std::unique_ptr<Device>> devices;
  /** The devices that the driver enumerates, in this order. Telemetry sees all devices. */
  std::vector<Device*> visible;
  /** Result of initialising the driver. */
  int state = 0;

  /** The device with this ordinal of the driver; null if there is none. */
  Device* visible_device(int ordinal) const;
};

/** The machine's cards of one vendor, shared by driver and telemetry. Never destroyed. */
Machine& machine(Vendor vendor);

/** Those of `devices` that CUDA_VISIBLE_DEVICES, or ROCR_ and HIP_VISIBLE_DEVICES, select, as in the real drivers. */
std::vector<Device*> visible_devices(Vendor vendor, const std::vector<std::unique_ptr<Device>>& devices);

}  // namespace gpumark::sim
