// The one table of CPU kernels. Each instruction set fills a row from files compiled with its own -m flags. Those files
// include nothing of the standard library but <cstddef> and <cstdint>: an inline function of it compiled with AVX-512
// could be the copy that the linker keeps for every caller, and would then crash the runner on an older processor.
// Chosen at run time by cpuid (SSE2, AVX2+FMA, AVX-512F, AVX-512 BF16, AMX if the system permits its tiles) or hwcap
// (NEON, BF16, FHM); nothing in the product is compiled with -march=native.
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
 * Register-resident multiply-add chains. `state` holds accumulators * lanes values, then lanes values of m, then lanes
 * of c; each iteration takes one step per accumulator. Accumulators are written back.
 */
struct FmaKernel {
  void (*run)(std::uint64_t iterations, void* state);
  int accumulators;
  int lanes;
  ChainStep step;
};

/**
 * One mr x nr tile of C over `steps` steps of a_group ks each: c[i * ldc + j] (+)= sum over k of A[i][k] * B[k][j],
 * with A[i][k] at a[(k / a_group * mr + i) * a_group + k % a_group] and B[k][j] at b[(k / b_group * nr + j) * b_group +
 * k % b_group]. b_group divides a_group. `next_b` is only prefetched: the panel that will follow b. c holds the sums:
 * fp64 for fp64, else fp32.
 */
struct GemmKernel {
  const char* name;
  int mr;
  int nr;
  void (*tile)(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate,
               const void* next_b);
  /** The instruction set, if it differs from the KernelSet's. */
  const char* isa = nullptr;
  /**
   * How many consecutive ks of one row of A, or of one column of B, are stored together: 1 for fp32 and fp64, more if
   * an instruction takes several.
   */
  int a_group = 1;
  int b_group = 1;
  /** 16-bit outputs: n finished sums to the output type, nearest even; n is a multiple of nr. */
  void (*convert)(const float* sums, std::uint16_t* out, std::size_t n) = nullptr;
  /** Before the first and after the last tile on each thread, if the instructions need it. */
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  /**
   * The sums are rounded to odd instead of to nearest: an error of up to one unit in the last place instead of half of
   * one.
   */
  bool rounds_to_odd = false;
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
  /** Candidates, of which short trials choose the fastest on this machine. Ends with a null name. */
  const GemmKernel* gemm_fp32;
  const GemmKernel* gemm_fp64;
  StreamKernels stream;
};

struct CpuFeatures;
/**
 * The widest set that this processor supports, and all supported sets (widest first, null-terminated) for the
 * self-test.
 */
const KernelSet& best_kernels(const CpuFeatures& features);
const KernelSet* const* usable_kernels(const CpuFeatures& features);

extern const FmaKernel kFmaSse2Fp32, kFmaSse2Fp64, kFmaAvx2Fp32, kFmaAvx2Fp64, kFmaAvx512Fp32, kFmaAvx512Fp64,
    kFmaNeonFp32, kFmaNeonFp64;
extern const GemmKernel kGemmSse2Fp32[], kGemmSse2Fp64[], kGemmAvx2Fp32[], kGemmAvx2Fp64[], kGemmAvx512Fp32[],
    kGemmAvx512Fp64[], kGemmNeonFp32[], kGemmNeonFp64[];
/** 16-bit inputs, sums in fp32. */
extern const GemmKernel kGemmAmxBf16[], kGemmAmxFp16[], kGemmAvx512Bf16[], kGemmNeonBf16[], kGemmNeonFp16[];
void convert_bf16_avx512(const float* sums, std::uint16_t* out, std::size_t n);
void convert_fp16_avx512(const float* sums, std::uint16_t* out, std::size_t n);
extern const StreamKernels kStreamSse2, kStreamAvx2, kStreamAvx512, kStreamNeon;

}  // namespace gpumark
