// FMA peak, 256 bits: 12 chains cover latency 4-5 at two per cycle.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

#define LOAD(i) "vmovups " #i "*32(%[s]), %%ymm" #i "\n\t"
#define STORE(i) "vmovups %%ymm" #i ", " #i "*32(%[s])\n\t"
#define STEP_S(i) "vfmadd213ps %%ymm13, %%ymm12, %%ymm" #i "\n\t"
#define STEP_D(i) "vfmadd213pd %%ymm13, %%ymm12, %%ymm" #i "\n\t"
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
// Inline assembly, because compilers hoist, spill or reassociate chains written in C++, and the figure is then
// meaningless.
#define CHAINS(name, STEPS)                                                                         \
  void name(std::uint64_t iterations, void* state) {                                                \
    __asm__ volatile(ALL(LOAD) "vmovups 12*32(%[s]), %%ymm12\n\tvmovups 13*32(%[s]), %%ymm13\n\t" \
                     ".p2align 5\n1:\n\t" ALL(STEPS) "dec %[n]\n\tjnz 1b\n\t" ALL(STORE) "vzeroupper" \
                     : [n] "+r"(iterations) \
                     : [s] "r"(state) \
                     : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"); \
  }
CHAINS(chains_fp32, STEP_S)
CHAINS(chains_fp64, STEP_D)

}  // namespace

extern const FmaKernel kFmaAvx2Fp32 = {chains_fp32, 12, 8, ChainStep::fused_multiply_x};
extern const FmaKernel kFmaAvx2Fp64 = {chains_fp64, 12, 4, ChainStep::fused_multiply_x};

}  // namespace gpumark
