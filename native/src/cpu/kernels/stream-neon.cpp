#include "cpu/kernels/stream-loops.h"

namespace gpumark {
namespace {

// 32 bytes, because the non-temporal store of this instruction set (stnp) takes a pair of registers.
typedef double Pair __attribute__((vector_size(32), may_alias, aligned(16)));
typedef double Half __attribute__((vector_size(16), may_alias, aligned(16)));

struct NonTemporalStore {
  static void put(double* at, Pair value) {
    const Half low = {value[0], value[1]};
    const Half high = {value[2], value[3]};
    __asm__ volatile("stnp %q1, %q2, %0" : "=Ump"(*reinterpret_cast<Pair*>(at)) : "w"(low), "w"(high));
  }
  static void drain() { __asm__ volatile("dmb ishst" ::: "memory"); }
};

}  // namespace

extern const StreamKernels kStreamNeon = stream_kernels<Pair, NonTemporalStore>();

}  // namespace gpumark
