// What is wrong with the simulated matrix libraries: GPUMARK_SIM_BLAS_VERSION and GPUMARK_SIM_BLAS_FAULT, read once.
#pragma once
#include <string>

namespace gpumark::sim::blas {

struct Version {
  int major = 0, minor = 0, patch = 0;
};

/** The setting, or what the library would be. */
Version version_or(Version usual);
/** kind[:type] is set, and for this type ("fp16", "tf32", "mixed", …) or for all. */
bool has_fault(const char* kind, const std::string& type = "");

}  // namespace gpumark::sim::blas
