// Version and faults of the simulated matrix libraries: GPUMARK_SIM_BLAS_VERSION and GPUMARK_SIM_BLAS_FAULT.
#pragma once
#include <string>

namespace gpumark::sim::blas {

struct Version {
  int major = 0, minor = 0, patch = 0;
};

/** The version that is set, or the usual one. */
Version version_or(Version usual);
/** Whether kind[:type] is set, for this type ("fp16", "tf32", "mixed", …) or for all types. */
bool has_fault(const char* kind, const std::string& type = "");

}  // namespace gpumark::sim::blas
