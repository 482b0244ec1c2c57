// The command line of `gpumark-runner collective`.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace gpumark {

struct CollectiveOptions {
  enum class Mode { probe, unique_id, run };
  Mode mode = Mode::run;
  /** "cuda" or "rocm" */
  std::string backend = "cuda";
  /** Of the whole job, of this node's first device, and devices of this node; 0: all that it has. */
  int ranks = 0, first_rank = -1, devices = 0;
  double deadline_seconds = 0;
  /** As for `run`: of each device, for the two buffers; 0: a share of what is free. */
  std::size_t max_memory_bytes = 0;
  std::string sysfs_root = "/sys";
};

/** @param arguments those after "collective" @param problem what was wrong, or "" */
CollectiveOptions parse_collective_options(const std::vector<std::string>& arguments, std::string& problem);

}  // namespace gpumark
