// The clocks that kernels read: the core clock at 1 GHz, and the timer at 1 GHz on NVIDIA and 100 MHz on AMD.
#include <chrono>
#include <sched.h>
#include <thread>

#include "core/kernel-table.h"

namespace {

thread_local const gpumark::sim::Device* kernel_device = nullptr;
thread_local unsigned polls = 0;

unsigned long long nanoseconds() {
  return static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

}  // namespace

namespace gpumark::sim {
void set_kernel_device(const Device* device) {
  kernel_device = device;
  polls = 0;
}
}  // namespace gpumark::sim

extern "C" __attribute__((visibility("hidden"))) unsigned long long gpumark_sim_cycles() { return nanoseconds(); }

extern "C" __attribute__((visibility("hidden"))) unsigned long long gpumark_sim_ticks() {
  const bool amd = kernel_device && kernel_device->architecture.vendor == gpumark::sim::Vendor::amd;
  return amd ? nanoseconds() / 10 : nanoseconds();
}

/** Called by kernels that wait for the host: at first it only yields the processor, later it sleeps. */
extern "C" __attribute__((visibility("hidden"))) void gpumark_sim_yield() {
  if (++polls < 64) {
    sched_yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}
