// Properties of an architecture that a driver and its telemetry report.
#pragma once
#include <string>

#include "core/errors.h"

namespace gpumark::sim {

struct Architecture {
  Vendor vendor;
  /** "sm_90", "gfx942" */
  std::string name;
  /** Compute capability, or the digits of the gfx name: 9.0, 9.4 */
  int major = 0;
  int minor = 0;
  /** EF_AMDGPU_MACH of the ELF header (LLVM, AMDGPUUsage); 0 on NVIDIA. */
  unsigned machine_flag = 0;
  int warp_size = 32;
  /**
   * The maximum shared memory of one block (CUDA programming guide, table of compute capabilities; AMD: LDS).
   */
  int shared_bytes = 64 << 10;
  /** NVLink or xGMI links of one device. */
  int links = 0;

  static Architecture named(Vendor vendor, const std::string& name);
};

}  // namespace gpumark::sim
