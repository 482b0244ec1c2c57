// Runs a kernel whose threads cooperate; an entry of a kernel table.
#pragma once
#include "core/block-run.h"

namespace gpumark::sim {

/** The largest static size that a kernel can declare (gfx950); more must be requested by the launch. */
constexpr std::size_t kOwnSharedBytes = std::size_t{160} << 10;

template <class Args, void (*kernel)(const Args), unsigned threads, unsigned cluster>
bool run_blocks(const void* arguments, unsigned blocks, std::size_t shared_bytes) {
  const auto run = [](const void* bytes) { kernel(*static_cast<const Args*>(bytes)); };
  for (unsigned block = 0; block + cluster <= blocks; block += cluster) {
    if (!run_cluster({run, arguments, block, cluster, threads, shared_bytes ? shared_bytes : kOwnSharedBytes}))
      return false;
  }
  return true;
}

}  // namespace gpumark::sim
