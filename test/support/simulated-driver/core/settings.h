// The simulated machine and its faults: the environment variables GPUMARK_SIM_*, read once (listed in README.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/errors.h"

namespace gpumark::sim {

/** kind[@ordinal][:value]. */
struct Fault {
  std::string kind;
  /** Ordinal in the machine, regardless of CUDA_VISIBLE_DEVICES; -1 = every device. */
  int ordinal = -1;
  std::string value;
  /** Without the `p` of a value that counts paths. */
  std::uint64_t number(std::uint64_t fallback) const;
  bool counts_paths() const { return !value.empty() && value[0] == 'p'; }
};

struct Settings {
  int devices = 1;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  bool mig = false;
  /** NVLink links of each NVIDIA card; 0 = the architecture's number. */
  int links = 0;
  std::vector<std::string> nvidia_architectures;
  std::vector<std::string> amd_architectures;
  /** 13000 = CUDA 13.0 */
  int cuda_version = 0;
  /** 60443482 = HIP 6.4.43482 */
  int hip_version = 0;
  std::vector<Fault> faults;

  /** The fault of this kind for this device, or null. Ordinal -1: a fault that is not limited to one device. */
  const Fault* fault(const char* kind, int ordinal) const;
  /** By the fault "old-driver", or with a version older than CUDA 10 or ROCm 5. */
  bool driver_too_old(Vendor vendor) const;
};

const Settings& settings();

}  // namespace gpumark::sim
