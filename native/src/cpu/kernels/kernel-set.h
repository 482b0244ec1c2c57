// The one table of CPU kernels. Each instruction set fills a row from files compiled with its own -m flags.
// Those files include nothing of the standard library but <cstddef> and <cstdint>: an inline function of it compiled
// with AVX-512 could be the copy the linker keeps for everybody, and would then kill the runner on an older processor.
#pragma once
#include <cstddef>
#include <cstdint>

namespace gpumark {

/** One step of an accumulator x with constants m and c; the instruction set decides which form it has. */
enum class ChainStep {
  fused_multiply_x,  // x = fma(x, m, c)
  fused_add_to_x,    // x = fma(m, c, x)
  two_roundings,     // x = x * m, then + c
};

/**
 * Register-resident multiply-add chains. `state` holds accumulators * lanes values, then lanes values of m, then lanes of c;
 * each iteration takes one step per accumulator. Accumulators are written back.
 */
struct FmaKernel {
  void (*run)(std::uint64_t iterations, void* state);
  int accumulators;
  int lanes;
  ChainStep step;
};

/**
 * One mr x nr tile of C over kc steps: c[i * ldc + j] (+)= sum_p a[p * mr + i] * b[p * nr + j], with `a` and `b` packed so.
 * `next_b` is only prefetched: the panel that will follow b. Step = one k for fp32 and fp64, `k_per_step` ks for packed 16-bit formats. c is fp32 (fp64 for double).
 */
struct GemmKernel {
  const char* name;
  int mr;
  int nr;
  void (*tile)(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate, const void* next_b);
};

/** Arrays of doubles on 64-byte borders, n a multiple of 64. The _nt forms bypass the cache on stores. */
struct StreamKernels {
  void (*triad)(double* a, const double* b, const double* c, double scalar, std::size_t n);
  void (*triad_nt)(double* a, const double* b, const double* c, double scalar, std::size_t n);
  void (*copy)(double* a, const double* b, std::size_t n);
  void (*copy_nt)(double* a, const double* b, std::size_t n);
  /** Sum of all elements. */
  double (*read)(const double* a, std::size_t n);
};

struct KernelSet {
  const char* isa;
  FmaKernel fma_fp32;
  FmaKernel fma_fp64;
  /** Candidates; the fastest on this machine is chosen by a short trial. Ends with a null name. */
  const GemmKernel* gemm_fp32;
  const GemmKernel* gemm_fp64;
  StreamKernels stream;
};

struct CpuFeatures;
/** The widest set this processor runs, and all sets it runs (widest first, null-terminated) for the self-test. */
const KernelSet& best_kernels(const CpuFeatures& features);
const KernelSet* const* usable_kernels(const CpuFeatures& features);

extern const FmaKernel kFmaSse2Fp32, kFmaSse2Fp64, kFmaAvx2Fp32, kFmaAvx2Fp64, kFmaAvx512Fp32, kFmaAvx512Fp64, kFmaNeonFp32, kFmaNeonFp64;
extern const GemmKernel kGemmSse2Fp32[], kGemmSse2Fp64[], kGemmAvx2Fp32[], kGemmAvx2Fp64[], kGemmAvx512Fp32[], kGemmAvx512Fp64[],
    kGemmNeonFp32[], kGemmNeonFp64[];
extern const StreamKernels kStreamSse2, kStreamAvx2, kStreamAvx512, kStreamNeon;

}  // namespace gpumark
