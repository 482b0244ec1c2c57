// Libraries of drivers: the names under which they may be installed, and the folders besides the loader's own.
#pragma once
#include <map>
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

struct OpenedLibrary {
  /** Never unloaded; null if there is none. */
  void* handle = nullptr;
  /** What it was loaded as: a bare name, or an absolute path. */
  std::string path;
  /** Why there is none: the error of one that exists, else the places that were searched. */
  std::string problem;
};

/** Asks the loader for every name, then looks for each in the folders, in their order. */
OpenedLibrary open_library(const LibraryNames& library, const std::vector<std::string>& folders);

/** Where toolkits are installed ("/usr/local/cuda-13.0"), and the variables that override it. */
struct Toolkit {
  const char* parent;
  const char* name;
  std::vector<const char*> variables;
  /** Folders with a home per release: "/opt/nvidia/hpc_sdk/Linux_x86_64" with "25.7". */
  std::vector<const char*> release_parents;
};

using Variables = std::map<std::string, std::string>;

/** Those of this process that override where the toolkit is installed, and are set. */
Variables variables_of(const Toolkit& toolkit);

/** Homes of a toolkit: those that the variables name, then the installed ones, the newest release first. */
std::vector<std::string> homes_of(const Toolkit& toolkit, const Variables& variables, const std::string& root);

const Toolkit& rocm_toolkit();

/**
 * Where hosts mount NVIDIA's driver without telling the loader: containers of Google's GKE in /usr/local/nvidia, WSL 2
 * in /usr/lib/wsl/lib, NixOS in /run/opengl-driver/lib.
 */
std::vector<std::string> nvidia_driver_folders();

/** lib and lib64 of ROCm's homes. */
std::vector<std::string> rocm_folders();

/** Folders in `folder` whose names begin with `beginning`, the highest version first: "cuda-13.0" before "cuda-9.2". */
std::vector<std::string> folders_like(const std::string& folder, const std::string& beginning);

/** "(looked in the loader's path, /usr/local/nvidia/lib64)" */
std::string looked_in(const std::vector<std::string>& places);

}  // namespace gpumark
