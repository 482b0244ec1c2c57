// Issue probes of WMMA.
#pragma once
#include "amd-issue.h"
#include "wmma-ops.h"

#if GPUMARK_SIMULATED || defined(__GFX11__)
GPUMARK_AMD_ISSUE(gpumark_issue_wmma_fp16_gfx11, WmmaFp16Gfx11, 1, kIssueFp16)
GPUMARK_AMD_ISSUE(gpumark_issue_wmma_bf16_gfx11, WmmaBf16Gfx11, 1, kIssueBf16)
#endif
#if GPUMARK_SIMULATED || defined(__GFX12__)
GPUMARK_AMD_ISSUE(gpumark_issue_wmma_fp16_gfx12, WmmaFp16Gfx12, 1, kIssueFp16)
GPUMARK_AMD_ISSUE(gpumark_issue_wmma_bf16_gfx12, WmmaBf16Gfx12, 1, kIssueBf16)
GPUMARK_AMD_ISSUE(gpumark_issue_wmma_fp8_gfx12, WmmaFp8Gfx12, 1, kIssueFp8)
#endif
