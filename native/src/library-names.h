// Names under which a vendor's library may be installed.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

/**
 * "libamd_smi.so.40", "libamd_smi.so.39", ... down to `oldest`, then the plain name: development packages bring that
 * one, and what lies behind it may be an empty shell. `newest` is well ahead of what there is, so that the next release
 * is found without a new build; whoever loads one checks that it has the calls.
 */
inline std::vector<std::string> versioned_names(const std::string& stem, int newest, int oldest) {
  std::vector<std::string> names;
  for (int version = newest; version >= oldest; --version) names.push_back(stem + ".so." + std::to_string(version));
  names.push_back(stem + ".so");
  return names;
}

}  // namespace gpumark
