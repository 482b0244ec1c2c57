// FMA peak without fused multiply-add: mul then add, 12 chains (mul + add latency 6-8, two of each per cycle at best).
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

#define LOAD(i) "movups " #i "*16(%[s]), %%xmm" #i "\n\t"
#define STORE(i) "movups %%xmm" #i ", " #i "*16(%[s])\n\t"
#define STEP(T, i) "mulp" T " %%xmm12, %%xmm" #i "\n\taddp" T " %%xmm13, %%xmm" #i "\n\t"
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define STEP_S(i) STEP("s", i)
#define STEP_D(i) STEP("d", i)
// Inline assembly, because compilers hoist, spill or reassociate chains written in C++, and the figure is then
// meaningless.
#define CHAINS(name, STEPS)                                                                       \
  void name(std::uint64_t iterations, void* state) {                                              \
    __asm__ volatile(ALL(LOAD) "movups 12*16(%[s]), %%xmm12\n\tmovups 13*16(%[s]), %%xmm13\n\t" \
                     ".p2align 5\n1:\n\t" ALL(STEPS) "dec %[n]\n\tjnz 1b\n\t" ALL(STORE) \
                     : [n] "+r"(iterations) \
                     : [s] "r"(state) \
                     : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13"); \
  }
CHAINS(chains_fp32, STEP_S)
CHAINS(chains_fp64, STEP_D)

}  // namespace

extern const FmaKernel kFmaSse2Fp32 = {chains_fp32, 12, 4, ChainStep::two_roundings};
extern const FmaKernel kFmaSse2Fp64 = {chains_fp64, 12, 2, ChainStep::two_roundings};

}  // namespace gpumark
