// Where a vendor's library may be installed. Only looks, loads nothing; never names the current folder.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gpu/vendor.h"

namespace gpumark {

/** What the search depends on, so that a test can give it another machine. */
struct SearchEnvironment {
  /** CUDA_HOME, CUDA_PATH, ROCM_PATH, HIP_PATH: what the toolkits' variables say, as far as they are set. */
  std::map<std::string, std::string> variables;
  /** VIRTUAL_ENV, CONDA_PREFIX, and wherever PATH has a python3. */
  std::vector<std::string> python_prefixes;
  /** HOME */
  std::string home;
  /** Stands before the fixed places, "/usr/local" and so on. */
  std::string root;

  static SearchEnvironment of_process();
};

struct LibraryCandidate {
  /** A whole path, or a bare name for the loader to resolve. */
  std::string path;
  /** Of its name: 13 in libcublasLt.so.13; -1 if the name has none. */
  int major = -1;
};

struct LibrarySearch {
  /** The newest first; of one major version, in the order of the places. No file twice. */
  std::vector<LibraryCandidate> candidates;
  /** Where was looked, for a reader. */
  std::vector<std::string> places;
  /** "libnccl.so" */
  std::string name;
  /** As it was given. */
  std::string given, variable;

  /** What the candidates' faults come to: "no libnccl.so was found (looked in …)". @param unusable one after the other
   */
  std::string explain(const std::string& unusable) const;
};

/**
 * @param given the value of `variable`: files or folders, joined by ':'. If it is set, nothing else is looked at.
 */
LibrarySearch search_library(const InstalledLibrary& installed, const Toolkit& toolkit,
                             const SearchEnvironment& environment, const std::string& variable,
                             const std::string& given);

/**
 * Loads one candidate for good. Null with the reason; the reason is "" if the loader merely knows no such name, as the
 * list of places says that it was asked.
 */
void* load_candidate(const LibraryCandidate& candidate, std::string& reason);

/**
 * Why a loaded library does not fit the driver in use, or "": one of them is the test suite's, or it is linked with
 * another copy of the runtime.
 */
std::string unfit_for(const GpuDriver& driver, void* loaded, bool is_simulated);

}  // namespace gpumark
