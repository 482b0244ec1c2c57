#include "cpu/kernels/stream-loops.h"

namespace gpumark {
namespace {

typedef double Doubles __attribute__((vector_size(32), may_alias, aligned(32)));

struct NonTemporalStore {
  static void put(double* at, Doubles value) {
    __asm__ volatile("vmovntpd %1, %0" : "=m"(*reinterpret_cast<Doubles*>(at)) : "v"(value));
  }
  /** Non-temporal stores are weakly ordered: the timing may only stop once they are out. */
  static void drain() { __asm__ volatile("sfence" ::: "memory"); }
};

}  // namespace

extern const StreamKernels kStreamAvx2 = stream_kernels<Doubles, NonTemporalStore>();

}  // namespace gpumark
