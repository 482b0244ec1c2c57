// FMA peak, 512 bits: 16 chains; whether the core has one or two 512-bit units shows in the result.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

#define LOAD(i) "vmovups " #i "*64(%[s]), %%zmm" #i "\n\t"
#define STORE(i) "vmovups %%zmm" #i ", " #i "*64(%[s])\n\t"
#define STEP_S(i) "vfmadd213ps %%zmm17, %%zmm16, %%zmm" #i "\n\t"
#define STEP_D(i) "vfmadd213pd %%zmm17, %%zmm16, %%zmm" #i "\n\t"
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
// Inline assembly, because compilers hoist, spill or reassociate chains written in C++, and the figure is then
// meaningless.
#define CHAINS(name, STEPS)                                                                         \
  void name(std::uint64_t iterations, void* state) {                                                \
    __asm__ volatile(ALL(LOAD) "vmovups 16*64(%[s]), %%zmm16\n\tvmovups 17*64(%[s]), %%zmm17\n\t" \
                     ".p2align 6\n1:\n\t" ALL(STEPS) "dec %[n]\n\tjnz 1b\n\t" ALL(STORE) "vzeroupper" \
                     : [n] "+r"(iterations) \
                     : [s] "r"(state) \
                     : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17"); \
  }
CHAINS(chains_fp32, STEP_S)
CHAINS(chains_fp64, STEP_D)

}  // namespace

extern const FmaKernel kFmaAvx512Fp32 = {chains_fp32, 16, 16, ChainStep::fused_multiply_x};
extern const FmaKernel kFmaAvx512Fp64 = {chains_fp64, 16, 8, ChainStep::fused_multiply_x};

}  // namespace gpumark
