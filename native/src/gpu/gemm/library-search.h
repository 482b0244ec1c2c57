// Where a vendor's matrix library may lie. Only looks, loads nothing; never names the current folder.
#pragma once
#include <string>
#include <vector>

#include "gpu/driver.h"

namespace gpumark {

/** What the search depends on, so that a test can give it another machine. */
struct SearchEnvironment {
  /** GPUMARK_BLAS_PATH: files or folders, joined by ':'. Where it is set, nothing else is looked at. */
  std::string blas_path;
  /** CUDA_HOME, CUDA_PATH, ROCM_PATH, HIP_PATH as far as they are set. */
  std::vector<std::string> cuda_homes, rocm_homes;
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
  /** Of its name: 13 in libcublasLt.so.13; -1 where the name has none. */
  int major = -1;
};

struct LibrarySearch {
  /** The newest first; of one major version, in the order of the places. No file twice. */
  std::vector<LibraryCandidate> candidates;
  /** Where was looked, for a reader. */
  std::vector<std::string> places;
};

/** "libcublasLt" or "libhipblaslt" */
const char* library_stem(GpuVendor vendor);
LibrarySearch search_library(GpuVendor vendor, const SearchEnvironment& environment);

}  // namespace gpumark
