// Runs the threads of a block, or of a cluster of blocks, side by side: each on a stack of its own, one at a time,
// changing at the calls of native/device/block.h. One change costs some ten nanoseconds.
#pragma once
#include <cstddef>

namespace gpumark::sim {

struct ClusterLaunch {
  void (*kernel)(const void* arguments);
  const void* arguments;
  unsigned first_block;
  /** Blocks of the cluster; each has shared memory and barriers of its own. */
  unsigned blocks;
  unsigned threads;
  std::size_t shared_bytes;
};

/** @returns false if the threads wait for each other for good; why is said on stderr. */
bool run_cluster(const ClusterLaunch& launch);

}  // namespace gpumark::sim
