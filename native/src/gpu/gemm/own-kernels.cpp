#include "gpu/gemm/own-kernels.h"

#include "matrix/issue-expected.h"

namespace gpumark {

const char* path_name(KernelFamily family) {
  switch (family) {
    case KernelFamily::mma_sync: return "mma.sync";
    case KernelFamily::wgmma: return "wgmma";
    case KernelFamily::tcgen05: return "tcgen05";
    case KernelFamily::mfma: return "mfma";
    case KernelFamily::wmma: return "wmma";
    default: return "simt";
  }
}

const std::vector<OwnKernel>& own_kernels() {
#define GPUMARK_ROW_OF(portable, kernel, family, type, ...) \
  {#kernel, KernelFamily::family, GemmType::type, __VA_ARGS__, portable},
#define GPUMARK_ROW(...) GPUMARK_ROW_OF(false, __VA_ARGS__)
#define GPUMARK_PORTABLE_ROW(...) GPUMARK_ROW_OF(true, __VA_ARGS__)
  static const std::vector<OwnKernel> kernels = {GPUMARK_MATRIX_GEMMS(GPUMARK_ROW)
                                                     GPUMARK_SIMT_GEMMS(GPUMARK_PORTABLE_ROW)};
#undef GPUMARK_ROW_OF
#undef GPUMARK_ROW
#undef GPUMARK_PORTABLE_ROW
  return kernels;
}

const std::vector<IssueKernel>& issue_kernels() {
#define GPUMARK_ROW(kernel, family, type, threads, shared, operations) \
  {#kernel,                                                            \
   KernelFamily::family,                                               \
   GemmType::type,                                                     \
   threads,                                                            \
   shared,                                                             \
   operations,                                                         \
   device::issue_expected_##family##_##type},
  static const std::vector<IssueKernel> kernels = {GPUMARK_ISSUE_KERNELS(GPUMARK_ROW)};
#undef GPUMARK_ROW
  return kernels;
}

}  // namespace gpumark
