// Names under which a vendor's library may be installed.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

/**
 * "libamd_smi.so.40", "libamd_smi.so.39", ... down to `oldest`, then the name without a number if `without_number`:
 * development packages install that one, and it may be a stub. `newest` is well above the current version, so that the
 * next release is found without a new build; the loading code checks that the library has the calls.
 */
struct LibraryNames {
  const char* stem;
  int newest, oldest;
  bool without_number;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (int version = newest; version >= oldest; --version)
      all.push_back(stem + std::string(".so.") + std::to_string(version));
    if (without_number) all.push_back(stem + std::string(".so"));
    return all;
  }
};

}  // namespace gpumark
