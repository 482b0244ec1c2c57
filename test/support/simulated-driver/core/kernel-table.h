// The kernels' own source, compiled for the host: what each is called, how it is run, and which memory it touches.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device.h"

namespace gpumark::sim {

/** Memory that a kernel reads or writes, by its arguments. */
struct Span {
  std::uint64_t address;
  std::uint64_t bytes;
  bool written;
};

struct Kernel {
  const char* name;
  std::size_t argument_bytes;
  unsigned threads;
  /** Blocks that share copies; a grid is a multiple of it. */
  unsigned cluster;
  /** Runs a whole grid on the calling thread; false if it hangs. `shared_bytes` is what the launch gives. */
  bool (*run)(const void* arguments, unsigned blocks, std::size_t shared_bytes);
  std::vector<Span> (*spans)(const void* arguments, unsigned blocks);
};

/** Null: no kernel has this name. */
const Kernel* find_kernel(const std::string& name);
/** The same among those of native/device/matrix. */
const Kernel* find_matrix_kernel(const std::string& name);

/**
 * One launch, as the device does it: it may strike a fault, and memory it has no right to is an illegal address.
 * @returns an error code
 */
int run_launch(Device& device, const Kernel& kernel, const void* arguments, unsigned blocks, std::size_t shared_bytes);

/** Sets the device whose clocks the kernels of this thread read. */
void set_kernel_device(const Device* device);

}  // namespace gpumark::sim
