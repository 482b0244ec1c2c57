// Issue probes of MFMA. One round is as many products whatever the instruction: gfx942 takes two for what gfx950 does
// in one.
#pragma once
#include "amd-issue.h"
#include "mfma-ops.h"

#if GPUMARK_SIMULATED || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_fp64, MfmaFp64, 1, kIssueFp64)
#if GPUMARK_SIMULATED || !defined(__gfx950__)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_fp16, MfmaFp16, 1, kIssueFp16)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_bf16, MfmaBf16, 1, kIssueBf16)
#endif
#if GPUMARK_SIMULATED || defined(__gfx942__)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_fp8fnuz, MfmaFp8Fnuz, 2, kIssueFp8Fnuz)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_tf32, MfmaTf32, 1, kIssueTf32)
#endif
#if GPUMARK_SIMULATED || defined(__gfx950__)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_fp16_gfx950, MfmaFp16Deep, 1, kIssueFp16)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_bf16_gfx950, MfmaBf16Deep, 1, kIssueBf16)
GPUMARK_AMD_ISSUE(gpumark_issue_mfma_fp8_gfx950, MfmaFp8, 1, kIssueFp8)
#endif
#endif
