// Matrix products by mma.sync: what every NVIDIA GPU since Turing has. C = A x B^T, row-major, a block per tile of C;
// the rows of the registry (gemm-kernels.h) name the shapes. Which architecture has which kernels stands here.
//
//   128x256, 8 warps: least traffic between the caches; 255 registers, so one block per multiprocessor. With 64-byte
//   rows 4 stages are 96 KiB,
//     what sm_86, sm_89 and sm_120 can give; with 128-byte rows 3 are 144 KiB and half the barriers.
//   128x128, 4 warps: two blocks per multiprocessor, of which one multiplies while the other begins or writes.
// No block of 64 x 64 per warp is smaller: per step of 32 bytes it is 32 products of 16 x 8 for 8 loads of fragments.
#pragma once
#include "mma-sync-double.h"
#include "mma-sync-loop.h"
#include "mma-sync-scaled.h"
#include "mma-sync-write.h"

#if GPUMARK_SIMULATED
#define GPUMARK_MMA_SYNC_KERNEL(name, threads, blocks) extern "C" void name(const gpumark::device::GemmArgs args)
#else
#define GPUMARK_MMA_SYNC_KERNEL(name, threads, blocks)                                          \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, blocks))) void name( \
      const gpumark::device::GemmArgs args)
#endif

namespace gpumark::device::mma_sync {

/** Blocks of 8 warps, of 4 warps, and of 8 warps with the longer rows. */
template <class Numbers>
using Large = Shape<Numbers, 2, 4, 64, 4>;
template <class Numbers>
using Small = Shape<Numbers, 2, 2, 64, 3>;
template <class Numbers>
using Long = Shape<Numbers, 2, 4, 128, 3>;
template <class Numbers>
using LargeByRegisters = Shape<Numbers, 2, 4, 64, 2>;
template <class Numbers>
using SmallByRegisters = Shape<Numbers, 2, 2, 64, 2>;
template <class Numbers>
using Double = Shape<Numbers, 2, 4, 128, 3, kDoubleColumns>;

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
template <class S, class Product = WarpProduct<S>>
GPUMARK_DEVICE void gemm(const GemmArgs& args) {
  const Tile tile = tile_of<S>(block_index(), args);
  Product product;
  multiply_all<S>(product, args, tile);
  write_product(product, args, tile);
}
#endif

template <class S>
GPUMARK_DEVICE void gemm_by_registers(const GemmArgs& args) {
  const Tile tile = tile_of<S>(block_index(), args);
  WarpProduct<S> product;
  multiply_all_by_registers<S>(product, args, tile);
  write_product(product, args, tile);
}

}  // namespace gpumark::device::mma_sync

#if GPUMARK_SIMULATED || __CUDA_ARCH__ >= 800
#define GPUMARK_MMA_SYNC_SHAPE(name, shape, numbers, threads, blocks)                                            \
  GPUMARK_MMA_SYNC_KERNEL(name, threads, blocks) {                                                               \
    gpumark::device::mma_sync::gemm<gpumark::device::mma_sync::shape<gpumark::device::mma_sync::numbers>>(args); \
  }

// Where a block has 99 KiB. On sm_80 they run besides the long ones: its image is also the one for sm_86 and sm_87.
#if GPUMARK_SIMULATED || __CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200
#define GPUMARK_MMA_SYNC_LARGE(numbers, type, depth) \
  GPUMARK_MMA_SYNC_SHAPE(gpumark_mma_sync_##type##_128x256x##depth, Large, numbers, 256, 1)
#define GPUMARK_MMA_SYNC_SMALL(numbers, type, depth) \
  GPUMARK_MMA_SYNC_SHAPE(gpumark_mma_sync_##type##_128x128x##depth, Small, numbers, 128, 2)
GPUMARK_MMA_SYNC_LARGE(Half, fp16, 32)
GPUMARK_MMA_SYNC_LARGE(Brain, bf16, 32)
GPUMARK_MMA_SYNC_LARGE(Mixed<gpumark::device::mma_sync::Half>, mixed, 32)
GPUMARK_MMA_SYNC_LARGE(Tf32, tf32, 16)
GPUMARK_MMA_SYNC_SMALL(Half, fp16, 32)
GPUMARK_MMA_SYNC_SMALL(Brain, bf16, 32)
GPUMARK_MMA_SYNC_SMALL(Mixed<gpumark::device::mma_sync::Half>, mixed, 32)
GPUMARK_MMA_SYNC_SMALL(Tf32, tf32, 16)
#endif
#if GPUMARK_HAS_QUARTER_MMA
GPUMARK_MMA_SYNC_LARGE(Quarter, fp8, 64)
GPUMARK_MMA_SYNC_SMALL(Quarter, fp8, 64)
#endif

// Block-scaled: sm_120a and 121a. `depth` is of numbers, 64 bytes of them.
#if GPUMARK_HAS_SCALED_MMA
#define GPUMARK_MMA_SYNC_SCALED(numbers, type, depth)                                                             \
  GPUMARK_MMA_SYNC_KERNEL(gpumark_mma_sync_##type##_128x256x##depth, 256, 1) {                                    \
    gpumark::device::mma_sync::scaled_gemm<gpumark::device::mma_sync::Large<gpumark::device::mma_sync::numbers>>( \
        args);                                                                                                    \
  }                                                                                                               \
  GPUMARK_MMA_SYNC_KERNEL(gpumark_mma_sync_##type##_128x128x##depth, 128, 2) {                                    \
    gpumark::device::mma_sync::scaled_gemm<gpumark::device::mma_sync::Small<gpumark::device::mma_sync::numbers>>( \
        args);                                                                                                    \
  }
GPUMARK_MMA_SYNC_SCALED(ScaledNvFp4, nvfp4, 128)
GPUMARK_MMA_SYNC_SCALED(ScaledMxFp4, mxfp4, 128)
GPUMARK_MMA_SYNC_SCALED(ScaledMxFp8, mxfp8, 64)
#endif

// Where a block has 163 KiB and more: data-centre parts. Since sm_90 they have faster instructions, and this is what is
// left where those fail.
#if GPUMARK_SIMULATED || __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200)
#define GPUMARK_MMA_SYNC_LONG(numbers, type, depth) \
  GPUMARK_MMA_SYNC_SHAPE(gpumark_mma_sync_##type##_128x256x##depth, Long, numbers, 256, 1)
GPUMARK_MMA_SYNC_LONG(Half, fp16, 64)
GPUMARK_MMA_SYNC_LONG(Brain, bf16, 64)
GPUMARK_MMA_SYNC_LONG(Mixed<gpumark::device::mma_sync::Half>, mixed, 64)
GPUMARK_MMA_SYNC_LONG(Tf32, tf32, 32)
#endif

// fp64, where its units are many: sm_80, sm_90, sm_100. nvcc pads it with waits for sm_103 and sm_120, which have few.
#define GPUMARK_MMA_SYNC_DOUBLE(name, numbers)                                             \
  GPUMARK_MMA_SYNC_KERNEL(name, 256, 1) {                                                  \
    using S = gpumark::device::mma_sync::Double<gpumark::device::mma_sync::numbers>;       \
    gpumark::device::mma_sync::gemm<S, gpumark::device::mma_sync::DoubleProduct<S>>(args); \
  }
#if GPUMARK_SIMULATED || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1030)
GPUMARK_MMA_SYNC_DOUBLE(gpumark_mma_sync_fp64_128x128x16_k8, DoubleWhole)
#endif
#if GPUMARK_SIMULATED || __CUDA_ARCH__ == 800
GPUMARK_MMA_SYNC_DOUBLE(gpumark_mma_sync_fp64_128x128x16, DoubleParts)
#endif
#endif

// Turing, which has neither copies past the registers nor products 16 deep.
#if GPUMARK_SIMULATED || __CUDA_ARCH__ == 750
#define GPUMARK_MMA_SYNC_TURING(name, shape, numbers, threads)                       \
  GPUMARK_MMA_SYNC_KERNEL(name, threads, 1) {                                        \
    gpumark::device::mma_sync::gemm_by_registers<                                    \
        gpumark::device::mma_sync::shape<gpumark::device::mma_sync::numbers>>(args); \
  }
GPUMARK_MMA_SYNC_TURING(gpumark_mma_sync_fp16_128x256x32_turing, LargeByRegisters, HalfTwice, 256)
GPUMARK_MMA_SYNC_TURING(gpumark_mma_sync_fp16_128x128x32_turing, SmallByRegisters, HalfTwice, 128)
GPUMARK_MMA_SYNC_TURING(gpumark_mma_sync_mixed_128x256x32_turing, LargeByRegisters,
                        Mixed<gpumark::device::mma_sync::HalfTwice>, 256)
GPUMARK_MMA_SYNC_TURING(gpumark_mma_sync_mixed_128x128x32_turing, SmallByRegisters,
                        Mixed<gpumark::device::mma_sync::HalfTwice>, 128)
#endif
