// Identity of a GPU: never its index, which depends on the visible-devices variables and differs between libraries.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gpu/driver.h"

namespace gpumark {

struct GpuDevice {
  /** The driver's index for it in this process; for calls only, not for display. */
  int ordinal = 0;
  int handle = 0;
  /** "GPU-…" or "MIG-…" of nvidia-smi, "GPU-…" of rocm-smi, else "pci-0000:c1:00.0". */
  std::string id;
  std::string uuid;
  /** "0000:17:00.0" */
  std::string pci_id;
  std::string name;
  std::string architecture;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  int multiprocessors = 0;
  /** The most shared memory that a block can request. */
  int shared_bytes = 48 << 10;
  bool is_mig = false;
  bool integrated = false;
  /** -1 = unknown. */
  int numa_node = -1;
  /** Ticks per second of the device's constant-rate timer. */
  double timer_hz = 1e9;
  /** Why the device is unusable, if the driver failed to describe it; otherwise empty. */
  std::string problem;
};

/**
 * Describes one device of a started driver. If a call fails, `problem` is set, and the id only if it was read before.
 */
GpuDevice identify(const GpuDriver& driver, int ordinal, const std::string& sysfs_root);
/** Describes all devices; ids are made unique if partitions of one card share one. */
std::vector<GpuDevice> identify_all(const GpuDriver& driver, const std::string& sysfs_root);

}  // namespace gpumark
