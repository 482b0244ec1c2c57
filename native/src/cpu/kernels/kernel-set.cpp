#include "cpu/kernels/kernel-set.h"

#include "cpu/features.h"

namespace gpumark {
namespace {

#if defined(__x86_64__)
const KernelSet kAvx512 = {"avx512f", kFmaAvx512Fp32, kFmaAvx512Fp64, kGemmAvx512Fp32, kGemmAvx512Fp64, kStreamAvx512};
const KernelSet kAvx2 = {"avx2+fma", kFmaAvx2Fp32, kFmaAvx2Fp64, kGemmAvx2Fp32, kGemmAvx2Fp64, kStreamAvx2};
const KernelSet kSse2 = {"sse2", kFmaSse2Fp32, kFmaSse2Fp64, kGemmSse2Fp32, kGemmSse2Fp64, kStreamSse2};
#else
const KernelSet kNeon = {"neon", kFmaNeonFp32, kFmaNeonFp64, kGemmNeonFp32, kGemmNeonFp64, kStreamNeon};
#endif

}  // namespace

const KernelSet* const* usable_kernels(const CpuFeatures& features) {
  static const KernelSet* sets[4] = {};
  int count = 0;
#if defined(__x86_64__)
  if (features.avx512f) sets[count++] = &kAvx512;
  if (features.avx2) sets[count++] = &kAvx2;
  sets[count++] = &kSse2;
#else
  (void)features;
  sets[count++] = &kNeon;
#endif
  sets[count] = nullptr;
  return sets;
}

const KernelSet& best_kernels(const CpuFeatures& features) { return *usable_kernels(features)[0]; }

}  // namespace gpumark
