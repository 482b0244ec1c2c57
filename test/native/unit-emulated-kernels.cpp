// The machine code of the AVX-512 and AMX kernels on a processor that may have neither: what it refuses is emulated. On
// a processor that has them the same checks run without emulation.
#include <cstdio>

#include "cpu/gemm-candidates.h"
#include "small-products.h"
#include "unit-tests.h"

#if defined(__x86_64__)
#include "unit-emulator.h"

using namespace gpumark;

namespace {

decltype(GemmKernel::tile) real_tile = nullptr;
decltype(GemmKernel::begin) real_begin = nullptr;

/** Workers block every signal, and a refused instruction whose signal is blocked ends the process. */
void begin_with_signal() {
  emulated::unblock_on_this_thread();
  if (real_begin) real_begin();
}

void tile_after_clearing(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate,
                         const void* next) {
  emulated::clear_upper_halves();
  real_tile(steps, a, b, c, ldc, accumulate, next);
}

template <class Types>
std::size_t right_size(SmallProducts& products, const GemmKernel& kernel, std::size_t n) {
  real_tile = kernel.tile;
  real_begin = kernel.begin;
  GemmKernel wrapped = kernel;
  wrapped.tile = tile_after_clearing;
  wrapped.begin = begin_with_signal;
  const std::size_t size = products.right_size<Types>(wrapped, n);
  check(size != 0, kernel.name);
  return size;
}

std::uint64_t cube(std::size_t n) { return static_cast<std::uint64_t>(n) * n * n; }

void plain_vector_kernels(SmallProducts& products) {
  for (const GemmKernel* kernel : kernels_of(kGemmAvx512Fp32)) right_size<Fp32Product>(products, *kernel, 90);
  for (const GemmKernel* kernel : kernels_of(kGemmAvx512Fp64)) right_size<Fp64Product>(products, *kernel, 90);
}

void vector_kernels(SmallProducts& products, bool emulates) {
  for (const GemmKernel* kernel : kernels_of(kGemmAvx512Bf16)) {
    const std::uint64_t before = emulated::counts().vdpbf16ps;
    const std::size_t n = right_size<Bf16Product>(products, *kernel, 90);
    // 16 sums times 2 ks each.
    if (emulates)
      check(emulated::counts().vdpbf16ps - before == cube(n) / 32, "as many vdpbf16ps as the product needs");
  }
}

void tile_kernels(SmallProducts& products, const CpuFeatures& f) {
  const emulated::Counts before = emulated::counts();
  const std::uint64_t bf16 = cube(right_size<Bf16Product>(products, kGemmAmxBf16[0], 150));
  // 16 x 16 sums times 32 ks each.
  if (!f.amx_bf16)
    check(emulated::counts().tdpbf16ps - before.tdpbf16ps == bf16 / 8192, "as many tdpbf16ps as the product needs");
  if (f.amx_bf16 && !f.amx_fp16) {
    // Here the tiles are the processor's own, which the emulator does not reach.
    std::printf("skipped: the emulated AMX-FP16 kernel, on a processor with AMX and without its FP16\n");
    return;
  }
  const std::uint64_t fp16 = cube(right_size<Fp16Product>(products, kGemmAmxFp16[0], 150)) +
                             cube(right_size<MixedProduct>(products, kGemmAmxFp16[0], 90));
  if (!f.amx_fp16)
    check(emulated::counts().tdpfp16ps - before.tdpfp16ps == fp16 / 8192, "as many tdpfp16ps as the product needs");
}

}  // namespace

void check_emulated_kernels() {
  SmallProducts products;
  const CpuFeatures& f = products.context().features;
  if (f.avx512f && !f.avx512_bf16) {
    // Here the zmm registers are the processor's own, which the emulator does not reach.
    std::printf("skipped: the emulated kernels, on a processor with AVX-512 and without its BF16\n");
    return;
  }
  emulated::catch_refused_instructions();
  plain_vector_kernels(products);
  vector_kernels(products, !f.avx512_bf16);
  tile_kernels(products, f);
}

#else

void check_emulated_kernels() {}

#endif
