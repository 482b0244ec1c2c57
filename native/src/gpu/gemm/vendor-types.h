// What an element type is called by the vendor's library.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "number-formats.h"

namespace gpumark {

struct LibraryVersion {
  int major = 0, minor = 0, patch = 0;
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch); }
  bool before(int other_major, int other_minor) const {
    return major != other_major ? major < other_major : minor < other_minor;
  }
};

/** Numbers of the library's enumerations for one GemmType. */
struct VendorTypes {
  int compute = 0, scale = 0, input = 0, output = 0;
  /** alpha and beta are double, else float. */
  bool doubles = false;
  /** fp8: partial sums stay in the matrix units' own, shorter format. cuBLASLt asks, hipBLASLt has no such choice. */
  bool fast_accumulation = false;
  /**
   * Of both inputs: 0 where there are no block scales, else what the library calls them, and how they lie in memory.
   */
  int scale_mode = 0;
  NumberFormat scaled = NumberFormat::fp32;
};

/** Ways to name the type, in the order in which to try them; empty with the reason why the library cannot have it. */
struct VendorNames {
  std::vector<VendorTypes> types;
  std::string reason;
};

/**
 * False for instructions that the type's definition does not allow: matrix units for fp32, emulation for fp64, none for
 * tf32. @param numerics flags as cuBLASLt gives them
 */
bool keeps_to_type(GemmType type, std::optional<std::uint64_t> numerics);

}  // namespace gpumark
