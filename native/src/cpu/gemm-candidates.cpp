#include "cpu/gemm-candidates.h"

namespace gpumark {
namespace {

void append(std::vector<const GemmKernel*>& all, const GemmKernel* list) {
  for (; list->name; ++list) all.push_back(list);
}

}  // namespace

std::vector<const GemmKernel*> kernels_of(const GemmKernel* list) {
  std::vector<const GemmKernel*> all;
  append(all, list);
  return all;
}

#if defined(__x86_64__)

// The AMX kernels convert with AVX-512; every processor with AMX has it.
template <>
std::vector<const GemmKernel*> candidates_16bit<Bf16>(const CpuFeatures& f) {
  std::vector<const GemmKernel*> all;
  if (f.amx_bf16 && f.avx512_bf16) append(all, kGemmAmxBf16);
  if (f.avx512_bf16) append(all, kGemmAvx512Bf16);
  return all;
}

template <>
std::vector<const GemmKernel*> candidates_16bit<Half>(const CpuFeatures& f) {
  std::vector<const GemmKernel*> all;
  if (f.amx_fp16 && f.avx512f) append(all, kGemmAmxFp16);
  return all;
}

template <>
std::string why_no_candidates<Bf16>(const CpuFeatures& f) {
  if (f.amx_refused)
    return "this processor has AMX, but the system does not let this process use its tiles, "
           "and there is no AVX-512 BF16 beside it";
  return "this processor has no bf16 arithmetic: neither AMX-BF16 nor AVX-512 BF16";
}

template <>
std::string why_no_candidates<Half>(const CpuFeatures& f) {
  if (f.amx_refused)
    return "fp16 products with fp32 sums need AMX-FP16, and the system does not let this process use AMX";
  if (f.avx512_fp16)
    return "this processor's AVX512-FP16 also adds in fp16; products with fp32 sums need AMX-FP16, which it does not "
           "have";
  return "this processor has no AMX-FP16, the only fp16 arithmetic with fp32 sums on x86-64";
}

#else

template <>
std::vector<const GemmKernel*> candidates_16bit<Bf16>(const CpuFeatures& f) {
  return f.neon_bf16 ? kernels_of(kGemmNeonBf16) : std::vector<const GemmKernel*>{};
}

template <>
std::vector<const GemmKernel*> candidates_16bit<Half>(const CpuFeatures& f) {
  return f.neon_fhm ? kernels_of(kGemmNeonFp16) : std::vector<const GemmKernel*>{};
}

template <>
std::string why_no_candidates<Bf16>(const CpuFeatures&) {
  return "this processor has no bf16 arithmetic (FEAT_BF16)";
}

template <>
std::string why_no_candidates<Half>(const CpuFeatures&) {
  return "this processor has no fp16 multiply-add with fp32 sums (FEAT_FHM)";
}

#endif

}  // namespace gpumark
