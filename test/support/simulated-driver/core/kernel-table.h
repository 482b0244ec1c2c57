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
  /** Runs all threads of a grid, one after the other, on the calling thread. */
  void (*run)(const void* arguments, unsigned blocks);
  std::vector<Span> (*spans)(const void* arguments, unsigned blocks);
};

/** Null: no kernel has this name. */
const Kernel* find_kernel(const std::string& name);

/** One launch, as the device does it: it may strike a fault, and memory it has no right to is an illegal address. @returns an error code */
int run_launch(Device& device, const Kernel& kernel, const void* arguments, unsigned blocks);

/** Sets the device whose clocks the kernels of this thread read. */
void set_kernel_device(const Device* device);

}  // namespace gpumark::sim
