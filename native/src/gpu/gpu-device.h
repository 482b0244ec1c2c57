// Who a GPU is: never its index, which changes with the visible-devices variables and from library to library.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gpu/driver.h"

namespace gpumark {

struct GpuDevice {
  /** The driver's number for it in this process; good for calls, not for people. */
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
  /** The most shared memory that a block can ask for. */
  int shared_bytes = 48 << 10;
  bool is_mig = false;
  bool integrated = false;
  /** -1 = the system does not say. */
  int numa_node = -1;
  /** Ticks per second of the device's constant-rate timer. */
  double timer_hz = 1e9;
  /** Why it cannot be used: the driver would not even describe it. Empty for all others. */
  std::string problem;
};

/**
 * One device of a started driver; one that does not answer has a `problem`, and an id only if that was still told.
 */
GpuDevice identify(const GpuDriver& driver, int ordinal, const std::string& sysfs_root);
/** All of them, ids made unique if partitions of one card share theirs. */
std::vector<GpuDevice> identify_all(const GpuDriver& driver, const std::string& sysfs_root);

}  // namespace gpumark
