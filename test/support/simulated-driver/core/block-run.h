// Runs the threads of a block, or of a cluster of blocks, concurrently as fibers: each has its own stack, one runs at a
// time, and they switch in the calls of native/device/block.h. A switch takes about ten nanoseconds.
#pragma once
#include <cstddef>

namespace gpumark::sim {

struct ClusterLaunch {
  void (*kernel)(const void* arguments);
  const void* arguments;
  unsigned first_block;
  /** Blocks of the cluster; each has its own shared memory and barriers. */
  unsigned blocks;
  unsigned threads;
  std::size_t shared_bytes;
};

/** @returns false if the threads deadlock; the reason is printed on stderr */
bool run_cluster(const ClusterLaunch& launch);

}  // namespace gpumark::sim
