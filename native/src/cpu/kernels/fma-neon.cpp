// FMA peak, NEON: 24 chains cover four pipes of latency 4 with room to spare. fmla's destination is its addend, hence x
// += m * c.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

#define LOAD(i) "ldr q" #i ", [%[s], #" #i "*16]\n\t"
#define STORE(i) "str q" #i ", [%[s], #" #i "*16]\n\t"
#define STEP_S(i) "fmla v" #i ".4s, v24.4s, v25.4s\n\t"
#define STEP_D(i) "fmla v" #i ".2d, v24.2d, v25.2d\n\t"
#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define ALL(X) TWELVE(X) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23)
#define CHANGED                                                                                                       \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", \
      "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25"
// Inline assembly, because compilers hoist, spill or reassociate chains written in C++, and the figure is then
// meaningless.
#define CHAINS(name, STEPS)                                                               \
  void name(std::uint64_t iterations, void* state) {                                      \
    __asm__ volatile(ALL(LOAD) "ldr q24, [%[s], #24*16]\n\tldr q25, [%[s], #25*16]\n\t" \
                     ".p2align 5\n1:\n\t" ALL(STEPS) "subs %[n], %[n], #1\n\tb.ne 1b\n\t" ALL(STORE) \
                     : [n] "+r"(iterations) \
                     : [s] "r"(state) \
                     : "memory", "cc", CHANGED); \
  }
CHAINS(chains_fp32, STEP_S)
CHAINS(chains_fp64, STEP_D)

}  // namespace

extern const FmaKernel kFmaNeonFp32 = {chains_fp32, 24, 4, ChainStep::fused_add_to_x};
extern const FmaKernel kFmaNeonFp64 = {chains_fp64, 24, 2, ChainStep::fused_add_to_x};

}  // namespace gpumark
