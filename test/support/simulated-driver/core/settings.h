// What the simulated machine is and what is wrong with it: the GPUMARK_SIM_* environment, read once (README.md lists
// it).
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
  /** Ordinal in the machine, before any CUDA_VISIBLE_DEVICES; -1 = every device. */
  int ordinal = -1;
  std::string value;
  std::uint64_t number(std::uint64_t fallback) const;
};

struct Settings {
  int devices = 1;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  bool mig = false;
  /** NVLink links of each NVIDIA card; 0 = what the architecture has. */
  int links = 0;
  std::vector<std::string> nvidia_architectures;
  std::vector<std::string> amd_architectures;
  /** 13000 = CUDA 13.0 */
  int cuda_version = 0;
  /** 60443482 = HIP 6.4.43482 */
  int hip_version = 0;
  std::vector<Fault> faults;

  /** The fault of this kind that strikes this device, or null. ordinal -1: one that is not bound to a device. */
  const Fault* fault(const char* kind, int ordinal) const;
  /** Too old to be of use: the fault, or a version that predates CUDA 10 or ROCm 5. */
  bool driver_too_old(Vendor vendor) const;
};

const Settings& settings();

}  // namespace gpumark::sim
