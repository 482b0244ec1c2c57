// Kernels that are about launching, not about work.
#pragma once
#include "portable.h"

GPUMARK_KERNEL(gpumark_empty, EmptyArgs) { (void)args; }

GPUMARK_KERNEL(gpumark_spin, SpinArgs) {
  using namespace gpumark::device;
  if (thread_index() != 0) return;
  const u64 begin = timer_ticks();
  while (host_load(args.gate) == 0) {
    if (timer_ticks() - begin > args.max_ticks) {
      *args.expired = 1;
      return;
    }
  }
}
