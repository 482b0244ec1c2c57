// One translation unit with the matrix kernels of an architecture; the simulated driver compiles all families.
#include "gemm-kernels.h"

#if !defined(__CUDACC__) && !defined(__CUDA__) && !defined(__HIP__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#include "wgmma-issue.h"
#include "wgmma.h"
#endif

#if !defined(__CUDACC__) && !defined(__CUDA__) && !defined(__HIP__) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || \
    defined(__CUDA_ARCH_FEAT_SM103_ALL)
#include "tcgen05-issue.h"
#include "tcgen05-scaled.h"
#include "tcgen05.h"
#endif

#if !defined(__HIP__)
#include "lanes.h"
#include "mma-sync-issue.h"
#include "mma-sync.h"
#endif

#if !defined(__CUDACC__) && !defined(__CUDA__)
#include "mfma-issue.h"
#include "mfma.h"
#include "wmma-issue.h"
#include "wmma.h"
#endif
