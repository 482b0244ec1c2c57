// The kernels' own source, compiled for the host: the name of each, how it is run, and which memory it accesses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device.h"

namespace gpumark::sim {

/** Memory that a kernel reads or writes according to its arguments. */
struct Span {
  std::uint64_t address;
  std::uint64_t bytes;
  bool written;
};

struct Kernel {
  const char* name;
  std::size_t argument_bytes;
  unsigned threads;
  /** Blocks that share copies; the number of blocks of a grid must be a multiple of this. */
  unsigned cluster;
  /** Runs a whole grid on the calling thread; false if it hangs. `shared_bytes` is the dynamic size of the launch. */
  bool (*run)(const void* arguments, unsigned blocks, std::size_t shared_bytes);
  std::vector<Span> (*spans)(const void* arguments, unsigned blocks);
};

/** Null if no kernel has this name. */
const Kernel* find_kernel(const std::string& name);
/** The same for the kernels of native/device/matrix. */
const Kernel* find_matrix_kernel(const std::string& name);

/**
 * Executes one launch on the device. A fault may be set for it, and access to memory without permission is an illegal
 * address. @returns an error code
 */
int run_launch(Device& device, const Kernel& kernel, const void* arguments, unsigned blocks, std::size_t shared_bytes);

/** Sets the device whose clocks are read by the kernels of this thread. */
void set_kernel_device(const Device* device);

}  // namespace gpumark::sim
