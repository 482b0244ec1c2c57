// Finds where a vendor's library may be installed. Loads nothing, and never searches the current folder.
#pragma once
#include <string>
#include <vector>

#include "gpu/vendor.h"

namespace gpumark {

/** The inputs of the search, so that tests can simulate another machine. */
struct SearchEnvironment {
  /** Those of all vendors' toolkits that are set. */
  Variables variables;
  /** VIRTUAL_ENV, CONDA_PREFIX, and the prefix of the python3 on PATH. */
  std::vector<std::string> python_prefixes;
  /** HOME */
  std::string home;
  /** Prepended to the fixed places, "/usr/local" and so on. */
  std::string root;

  static SearchEnvironment of_process();
};

struct LibraryCandidate {
  /** An absolute path, or a bare name for the loader to resolve. */
  std::string path;
  /** Major version in its name: 13 in libcublasLt.so.13; -1 if there is none. */
  int major = -1;
};

struct LibrarySearch {
  /** The newest first; within one major version in search order. Without duplicates. */
  std::vector<LibraryCandidate> candidates;
  /** The places searched, for messages. */
  std::vector<std::string> places;
  /** "libnccl.so" */
  std::string name;
  /** The variable and its value, if it was set. */
  std::string given, variable;

  /**
   * The reason why no candidate is usable: "no libnccl.so was found (looked in …)". @param unusable the candidates'
   * errors, joined
   */
  std::string explain(const std::string& unusable) const;
};

/** @param given the value of `variable`: files or folders, joined by ':'. If it is set, nothing else is searched. */
LibrarySearch search_library(const InstalledLibrary& installed, const Toolkit& toolkit,
                             const SearchEnvironment& environment, const std::string& variable,
                             const std::string& given);

/**
 * Loads one candidate, never to be unloaded. Null with the reason; the reason is "" if the loader just found no such
 * name, since the list of places already mentions the loader.
 */
void* load_candidate(const LibraryCandidate& candidate, std::string& reason);

/**
 * Why a loaded library does not match the driver in use, or "": only one of them is the test suite's, or it is linked
 * with another copy of the runtime.
 */
std::string unfit_for(const GpuDriver& driver, void* loaded, bool is_simulated);

}  // namespace gpumark
