// Where NCCL or RCCL may lie. Only looks, loads nothing; never names the current folder.
#pragma once
#include <string>
#include <vector>

#include "gpu/gemm/library-search.h"

namespace gpumark {

struct CollectiveSearch {
  /** Whole paths, or a bare name for the loader to resolve; in the order to be tried, no file twice. */
  std::vector<std::string> candidates;
  /** Where was looked, for a reader. */
  std::vector<std::string> places;
};

/** "nccl" or "rccl" */
const char* collective_name(GpuVendor vendor);
/**
 * GPUMARK_NCCL_PATH or GPUMARK_RCCL_PATH: files or folders, joined by ':'. Where it is set, nothing else is looked at.
 */
const char* collective_variable(GpuVendor vendor);
/** @param given the value of that variable, or empty */
CollectiveSearch search_collective(GpuVendor vendor, const SearchEnvironment& environment, const std::string& given);

}  // namespace gpumark
