#include "core/kernel-table.h"

#include <algorithm>

// The device source itself, compiled by the host's compiler.
#include "kernels.cu"

#include "core/kernel-spans.h"
#include "core/run-blocks.h"

thread_local gpumark::device::u32 gpumark_sim_block = 0;
thread_local gpumark::device::u32 gpumark_sim_thread = 0;

namespace gpumark::sim {
namespace {

/**
 * For kernels that stride over their data by the size of the grid and whose result does not depend on it. With a thread
 * per element, consecutive threads access adjacent memory, as they do on a card; with few blocks, each thread in turn
 * would stride through all of the memory. 0: run as launched.
 */
unsigned blocks_for_host(const device::FillArgs& a) {
  return static_cast<unsigned>((a.count / 2 + device::kBlockThreads - 1) / device::kBlockThreads);
}
unsigned blocks_for_host(const device::CheckArgs& a) {
  return static_cast<unsigned>((a.count + device::kBlockThreads - 1) / device::kBlockThreads);
}
unsigned blocks_for_host(const device::WriteArgs& a) {
  return static_cast<unsigned>(a.vectors / (device::kBlockThreads * device::kUnroll));
}
unsigned blocks_for_host(const device::CopyArgs& a) {
  return static_cast<unsigned>(a.vectors / (device::kBlockThreads * device::kCopyUnroll));
}
unsigned blocks_for_host(const device::TriadArgs& a) {
  return static_cast<unsigned>(a.vectors / (device::kBlockThreads * device::kTriadUnroll));
}
template <class Args>
unsigned blocks_for_host(const Args&) {
  return 0;
}

/** True if the grid was enlarged. A launch whose arguments do not match its grid is run unchanged. */
template <class Args>
bool spread(Args& arguments, unsigned* blocks) {
  const unsigned wanted = blocks_for_host(arguments);
  if (wanted <= *blocks) return false;
  if constexpr (requires { arguments.blocks; }) {
    if (arguments.blocks != *blocks) return false;
    arguments.blocks = wanted;
    *blocks = wanted;
    return true;
  }
  return false;
}

template <class Args, void (*kernel)(const Args)>
bool run_grid(const void* bytes, unsigned blocks, std::size_t) {
  Args arguments = *static_cast<const Args*>(bytes);
  spread(arguments, &blocks);
  for (unsigned block = 0; block < blocks; ++block) {
    gpumark_sim_block = block;
    for (unsigned thread = 0; thread < device::kBlockThreads; ++thread) {
      gpumark_sim_thread = thread;
      kernel(arguments);
    }
  }
  return true;
}

using namespace device;

#define GPUMARK_SIM_ENTRY(kernel, Args, run)                                              \
  {#kernel, sizeof(Args), kBlockThreads, 1, run, [](const void* bytes, unsigned blocks) { \
     return spans_of(*static_cast<const Args*>(bytes), blocks, #kernel);                  \
   }},
#define GPUMARK_SIM_THREADS(kernel, Args) GPUMARK_SIM_ENTRY(kernel, Args, (run_grid<Args, kernel>))
#define GPUMARK_SIM_BLOCKS(kernel, Args) GPUMARK_SIM_ENTRY(kernel, Args, (run_blocks<Args, kernel, kBlockThreads, 1>))

const Kernel kKernels[] = {GPUMARK_THREAD_KERNELS(GPUMARK_SIM_THREADS) GPUMARK_BLOCK_KERNELS(GPUMARK_SIM_BLOCKS)};

}  // namespace

const Kernel* find_kernel(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(kKernels), std::end(kKernels), [&](const Kernel& kernel) { return name == kernel.name; });
  return found == std::end(kKernels) ? find_matrix_kernel(name) : found;
}

}  // namespace gpumark::sim
