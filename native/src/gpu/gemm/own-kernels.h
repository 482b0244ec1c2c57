// The registry of matrix kernels as the host sees it.
#pragma once
#include <vector>

#include "gemm-kernels.h"
#include "gpu/gemm/gemm-problem.h"

namespace gpumark {

enum class KernelFamily { simt, mma_sync, wgmma, tcgen05, mfma, wmma };
/** Name of the family in results: "mma.sync". */
const char* path_name(KernelFamily family);

struct OwnKernel {
  const char* name;
  KernelFamily family;
  GemmType type;
  unsigned tile_m, tile_n, tile_k, stages, threads, cluster, shared_bytes;
  /** In the images that every device has, and not in those with matrix kernels. */
  bool portable;
};
/** All kernels, the most promising first within a type. */
const std::vector<OwnKernel>& own_kernels();

struct IssueKernel {
  const char* name;
  KernelFamily family;
  GemmType type;
  unsigned threads, shared_bytes;
  /** Operations of one block in one round. */
  double operations;
  /** Expected sum of every thread after `rounds` rounds. */
  float (*expected)(unsigned long long rounds);
};
const std::vector<IssueKernel>& issue_kernels();

}  // namespace gpumark
