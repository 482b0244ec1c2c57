// The one registry of matrix kernels: what each multiplies, with which instructions, and how it is launched. An
// architecture has those kernels of this list that its image holds: see matrix/matrix.cu.
#pragma once
#include "kernels.h"

namespace gpumark::device {

/** A tensor map as the CUDA driver encodes it (CUtensorMap): opaque, 128 bytes on a border of 64. */
struct alignas(64) TensorMap {
  u64 words[16];
};
/**
 * Families that copy whole tiles by tensor maps: A and B as boxes of tile_k x some rows. Their `blocks` stay and take
 * tile after tile.
 */
struct TensorMapGemmArgs {
  TensorMap a, b;
  void* c;
  u32 m, n, k;
  u32 blocks;
  /** Of block-scaled operands, whose maps are of the numbers alone: where their scales begin. */
  const void* scales_a;
  const void* scales_b;
};

/**
 * clocks[2 * block] = cycles, [2 * block + 1] = timer ticks of `rounds` rounds; out: a sum per thread, so that nothing
 * is left out.
 */
struct IssueArgs {
  void* out;
  u64 rounds;
  u64* clocks;
  u32 blocks;
};

}  // namespace gpumark::device

// X(kernel, family, type, tile_m, tile_n, tile_k, stages, threads, cluster, shared_bytes)
//   One block of `threads` makes a tile of tile_m x tile_n of C from tiles that are tile_k deep, `stages` of which are
//   on their way or in use; `cluster` blocks share copies. shared_bytes is what the launch gives: 0 where the kernel's
//   own declaration says it. Types are those of GemmType. First come the ones that are expected to be the fastest where
//   several have the same family and type.

/** On the ordinary lanes; part of the portable images. */
#define GPUMARK_SIMT_GEMMS(X)                             \
  X(gpumark_sgemm, simt, fp32, 128, 128, 8, 2, 256, 1, 0) \
  X(gpumark_dgemm, simt, fp64, 64, 64, 8, 2, 256, 1, 0)

/** On NVIDIA's ordinary lanes since Ampere: in the matrix images, as they need its copies past the registers. */
#define GPUMARK_LANES_GEMMS(X)                                            \
  X(gpumark_sgemm_128x256x16, simt, fp32, 128, 256, 16, 3, 256, 1, 74496) \
  X(gpumark_sgemm_128x256x8, simt, fp32, 128, 256, 8, 6, 256, 1, 74496)

/** NVIDIA, mma.sync: Turing to Blackwell. */
#define GPUMARK_MMA_SYNC_GEMMS(X)                                                              \
  X(gpumark_mma_sync_fp16_128x256x64, mma_sync, fp16, 128, 256, 64, 3, 256, 1, 147456)         \
  X(gpumark_mma_sync_fp16_128x256x32, mma_sync, fp16, 128, 256, 32, 4, 256, 1, 98304)          \
  X(gpumark_mma_sync_fp16_128x128x32, mma_sync, fp16, 128, 128, 32, 3, 128, 1, 49152)          \
  X(gpumark_mma_sync_bf16_128x256x64, mma_sync, bf16, 128, 256, 64, 3, 256, 1, 147456)         \
  X(gpumark_mma_sync_bf16_128x256x32, mma_sync, bf16, 128, 256, 32, 4, 256, 1, 98304)          \
  X(gpumark_mma_sync_bf16_128x128x32, mma_sync, bf16, 128, 128, 32, 3, 128, 1, 49152)          \
  X(gpumark_mma_sync_mixed_128x256x64, mma_sync, mixed, 128, 256, 64, 3, 256, 1, 147456)       \
  X(gpumark_mma_sync_mixed_128x256x32, mma_sync, mixed, 128, 256, 32, 4, 256, 1, 98304)        \
  X(gpumark_mma_sync_mixed_128x128x32, mma_sync, mixed, 128, 128, 32, 3, 128, 1, 49152)        \
  X(gpumark_mma_sync_tf32_128x256x32, mma_sync, tf32, 128, 256, 32, 3, 256, 1, 147456)         \
  X(gpumark_mma_sync_tf32_128x256x16, mma_sync, tf32, 128, 256, 16, 4, 256, 1, 98304)          \
  X(gpumark_mma_sync_tf32_128x128x16, mma_sync, tf32, 128, 128, 16, 3, 128, 1, 49152)          \
  X(gpumark_mma_sync_fp8_128x256x64, mma_sync, fp8, 128, 256, 64, 4, 256, 1, 98304)            \
  X(gpumark_mma_sync_fp8_128x128x64, mma_sync, fp8, 128, 128, 64, 3, 128, 1, 49152)            \
  X(gpumark_mma_sync_nvfp4_128x256x128, mma_sync, nvfp4, 128, 256, 128, 4, 256, 1, 98304)      \
  X(gpumark_mma_sync_nvfp4_128x128x128, mma_sync, nvfp4, 128, 128, 128, 3, 128, 1, 49152)      \
  X(gpumark_mma_sync_mxfp4_128x256x128, mma_sync, mxfp4, 128, 256, 128, 4, 256, 1, 98304)      \
  X(gpumark_mma_sync_mxfp4_128x128x128, mma_sync, mxfp4, 128, 128, 128, 3, 128, 1, 49152)      \
  X(gpumark_mma_sync_mxfp8_128x256x64, mma_sync, mxfp8, 128, 256, 64, 4, 256, 1, 98304)        \
  X(gpumark_mma_sync_mxfp8_128x128x64, mma_sync, mxfp8, 128, 128, 64, 3, 128, 1, 49152)        \
  X(gpumark_mma_sync_fp64_128x128x16_k8, mma_sync, fp64, 128, 128, 16, 3, 256, 1, 98304)       \
  X(gpumark_mma_sync_fp64_128x128x16, mma_sync, fp64, 128, 128, 16, 3, 256, 1, 98304)          \
  X(gpumark_mma_sync_fp16_128x256x32_turing, mma_sync, fp16, 128, 256, 32, 2, 256, 1, 49152)   \
  X(gpumark_mma_sync_fp16_128x128x32_turing, mma_sync, fp16, 128, 128, 32, 2, 128, 1, 32768)   \
  X(gpumark_mma_sync_mixed_128x256x32_turing, mma_sync, mixed, 128, 256, 32, 2, 256, 1, 49152) \
  X(gpumark_mma_sync_mixed_128x128x32_turing, mma_sync, mixed, 128, 128, 32, 2, 128, 1, 32768)

/** NVIDIA, wgmma: Hopper. */
#define GPUMARK_WGMMA_GEMMS(X)                                                  \
  X(gpumark_wgmma_fp16_128x256, wgmma, fp16, 128, 256, 64, 4, 384, 2, 196672)   \
  X(gpumark_wgmma_bf16_128x256, wgmma, bf16, 128, 256, 64, 4, 384, 2, 196672)   \
  X(gpumark_wgmma_mixed_128x256, wgmma, mixed, 128, 256, 64, 4, 384, 2, 196672) \
  X(gpumark_wgmma_tf32_128x256, wgmma, tf32, 128, 256, 32, 4, 384, 2, 196672)   \
  X(gpumark_wgmma_fp8_128x256, wgmma, fp8, 128, 256, 128, 4, 384, 2, 196672)

/** NVIDIA, tcgen05: data-centre Blackwell. */
#define GPUMARK_TCGEN05_GEMMS(X)                                                     \
  X(gpumark_tcgen05_fp16_128x256, tcgen05, fp16, 128, 256, 64, 4, 192, 2, 196736)    \
  X(gpumark_tcgen05_bf16_128x256, tcgen05, bf16, 128, 256, 64, 4, 192, 2, 196736)    \
  X(gpumark_tcgen05_mixed_128x256, tcgen05, mixed, 128, 256, 64, 4, 192, 2, 196736)  \
  X(gpumark_tcgen05_tf32_128x256, tcgen05, tf32, 128, 256, 32, 4, 192, 2, 196736)    \
  X(gpumark_tcgen05_fp8_128x256, tcgen05, fp8, 128, 256, 128, 4, 192, 2, 196736)     \
  X(gpumark_tcgen05_nvfp4_128x256, tcgen05, nvfp4, 128, 256, 256, 4, 192, 2, 221312) \
  X(gpumark_tcgen05_mxfp4_128x256, tcgen05, mxfp4, 128, 256, 256, 4, 192, 2, 209024) \
  X(gpumark_tcgen05_mxfp8_128x256, tcgen05, mxfp8, 128, 256, 128, 4, 192, 2, 202880)

/** AMD, MFMA: CDNA. fp8fnuz is the form of e4m3 that gfx942 multiplies; gfx950 multiplies that of OCP. */
#define GPUMARK_MFMA_GEMMS(X)                                                    \
  X(gpumark_mfma_fp16_256x256, mfma, fp16, 256, 256, 32, 2, 512, 1, 0)           \
  X(gpumark_mfma_fp16_256x128, mfma, fp16, 256, 128, 32, 2, 256, 1, 0)           \
  X(gpumark_mfma_bf16_256x256, mfma, bf16, 256, 256, 32, 2, 512, 1, 0)           \
  X(gpumark_mfma_bf16_256x128, mfma, bf16, 256, 128, 32, 2, 256, 1, 0)           \
  X(gpumark_mfma_mixed_256x256, mfma, mixed, 256, 256, 32, 2, 512, 1, 0)         \
  X(gpumark_mfma_mixed_256x128, mfma, mixed, 256, 128, 32, 2, 256, 1, 0)         \
  X(gpumark_mfma_fp8fnuz_256x256, mfma, fp8, 256, 256, 64, 2, 512, 1, 0)         \
  X(gpumark_mfma_fp8fnuz_256x128, mfma, fp8, 256, 128, 64, 2, 256, 1, 0)         \
  X(gpumark_mfma_tf32_256x256, mfma, tf32, 256, 256, 16, 2, 512, 1, 0)           \
  X(gpumark_mfma_tf32_256x128, mfma, tf32, 256, 128, 16, 2, 256, 1, 0)           \
  X(gpumark_mfma_fp16_256x256_gfx950, mfma, fp16, 256, 256, 64, 2, 512, 1, 0)    \
  X(gpumark_mfma_fp16_256x128_gfx950, mfma, fp16, 256, 128, 32, 2, 256, 1, 0)    \
  X(gpumark_mfma_bf16_256x256_gfx950, mfma, bf16, 256, 256, 64, 2, 512, 1, 0)    \
  X(gpumark_mfma_bf16_256x128_gfx950, mfma, bf16, 256, 128, 32, 2, 256, 1, 0)    \
  X(gpumark_mfma_mixed_256x256_gfx950, mfma, mixed, 256, 256, 64, 2, 512, 1, 0)  \
  X(gpumark_mfma_mixed_256x128_gfx950, mfma, mixed, 256, 128, 32, 2, 256, 1, 0)  \
  X(gpumark_mfma_fp8_256x256_gfx950, mfma, fp8, 256, 256, 64, 3, 512, 1, 0)      \
  X(gpumark_mfma_fp8_256x128_gfx950, mfma, fp8, 256, 128, 64, 2, 256, 1, 0)      \
  X(gpumark_mfma_mxfp4_256x128_gfx950, mfma, mxfp4, 256, 128, 128, 2, 256, 1, 0) \
  X(gpumark_mfma_mxfp8_256x128_gfx950, mfma, mxfp8, 256, 128, 64, 2, 256, 1, 0)  \
  X(gpumark_mfma_fp64_128x128, mfma, fp64, 128, 128, 8, 2, 256, 1, 0)            \
  X(gpumark_mfma_fp32_256x256, mfma, fp32_matrix, 256, 256, 16, 2, 512, 1, 0)    \
  X(gpumark_mfma_fp32_256x128, mfma, fp32_matrix, 256, 128, 16, 2, 256, 1, 0)

/** AMD, WMMA: RDNA 3 (gfx11) and 4 (gfx12). */
#define GPUMARK_WMMA_GEMMS(X)                                                  \
  X(gpumark_wmma_fp16_256x128_gfx11, wmma, fp16, 256, 128, 32, 2, 256, 1, 0)   \
  X(gpumark_wmma_bf16_256x128_gfx11, wmma, bf16, 256, 128, 32, 2, 256, 1, 0)   \
  X(gpumark_wmma_mixed_256x128_gfx11, wmma, mixed, 256, 128, 32, 2, 256, 1, 0) \
  X(gpumark_wmma_fp16_256x128_gfx12, wmma, fp16, 256, 128, 32, 2, 256, 1, 0)   \
  X(gpumark_wmma_bf16_256x128_gfx12, wmma, bf16, 256, 128, 32, 2, 256, 1, 0)   \
  X(gpumark_wmma_mixed_256x128_gfx12, wmma, mixed, 256, 128, 32, 2, 256, 1, 0) \
  X(gpumark_wmma_fp8_256x128_gfx12, wmma, fp8, 256, 128, 64, 2, 256, 1, 0)

#define GPUMARK_MATRIX_GEMMS(X) \
  GPUMARK_WGMMA_GEMMS(X)        \
  GPUMARK_TCGEN05_GEMMS(X)      \
  GPUMARK_MMA_SYNC_GEMMS(X)     \
  GPUMARK_MFMA_GEMMS(X)         \
  GPUMARK_WMMA_GEMMS(X)         \
  GPUMARK_LANES_GEMMS(X)

// X(kernel, family, type, threads, shared_bytes, operations): matrix instructions on registers alone, or on shared
// memory that stays as it is; `operations` of one block in one round. Beside each stands
// issue_expected_<family>_<type>(rounds): what every thread writes then.
#define GPUMARK_MMA_SYNC_ISSUE(X)                                 \
  X(gpumark_issue_mma_sync_fp16, mma_sync, fp16, 256, 0, 2097152) \
  X(gpumark_issue_mma_sync_bf16, mma_sync, bf16, 256, 0, 2097152) \
  X(gpumark_issue_mma_sync_tf32, mma_sync, tf32, 256, 0, 1048576) \
  X(gpumark_issue_mma_sync_fp8, mma_sync, fp8, 256, 0, 4194304)   \
  X(gpumark_issue_mma_sync_fp64, mma_sync, fp64, 256, 0, 1048576)
#define GPUMARK_WGMMA_ISSUE(X)                                   \
  X(gpumark_issue_wgmma_fp16, wgmma, fp16, 256, 40960, 16777216) \
  X(gpumark_issue_wgmma_bf16, wgmma, bf16, 256, 40960, 16777216) \
  X(gpumark_issue_wgmma_tf32, wgmma, tf32, 256, 40960, 8388608)  \
  X(gpumark_issue_wgmma_fp8, wgmma, fp8, 256, 40960, 33554432)
#define GPUMARK_TCGEN05_ISSUE(X)                                     \
  X(gpumark_issue_tcgen05_fp16, tcgen05, fp16, 128, 49184, 16777216) \
  X(gpumark_issue_tcgen05_bf16, tcgen05, bf16, 128, 49184, 16777216) \
  X(gpumark_issue_tcgen05_tf32, tcgen05, tf32, 128, 49184, 8388608)  \
  X(gpumark_issue_tcgen05_fp8, tcgen05, fp8, 128, 49184, 33554432)
#define GPUMARK_MFMA_ISSUE(X)                                    \
  X(gpumark_issue_mfma_fp16, mfma, fp16, 256, 0, 4194304)        \
  X(gpumark_issue_mfma_bf16, mfma, bf16, 256, 0, 4194304)        \
  X(gpumark_issue_mfma_fp8fnuz, mfma, fp8, 256, 0, 16777216)     \
  X(gpumark_issue_mfma_tf32, mfma, tf32, 256, 0, 2097152)        \
  X(gpumark_issue_mfma_fp16_gfx950, mfma, fp16, 256, 0, 4194304) \
  X(gpumark_issue_mfma_bf16_gfx950, mfma, bf16, 256, 0, 4194304) \
  X(gpumark_issue_mfma_fp8_gfx950, mfma, fp8, 256, 0, 16777216)  \
  X(gpumark_issue_mfma_fp64, mfma, fp64, 256, 0, 524288)
#define GPUMARK_WMMA_ISSUE(X)                                   \
  X(gpumark_issue_wmma_fp16_gfx11, wmma, fp16, 256, 0, 2097152) \
  X(gpumark_issue_wmma_bf16_gfx11, wmma, bf16, 256, 0, 2097152) \
  X(gpumark_issue_wmma_fp16_gfx12, wmma, fp16, 256, 0, 2097152) \
  X(gpumark_issue_wmma_bf16_gfx12, wmma, bf16, 256, 0, 2097152) \
  X(gpumark_issue_wmma_fp8_gfx12, wmma, fp8, 256, 0, 4194304)

#define GPUMARK_ISSUE_KERNELS(X) \
  GPUMARK_WGMMA_ISSUE(X)         \
  GPUMARK_TCGEN05_ISSUE(X)       \
  GPUMARK_MMA_SYNC_ISSUE(X)      \
  GPUMARK_MFMA_ISSUE(X)          \
  GPUMARK_WMMA_ISSUE(X)
