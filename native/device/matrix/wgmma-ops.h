// Hopper's matrix instructions: 128 neighbouring threads multiply two tiles that lie in shared memory and add to sums
// in their registers, while they go on. PTX manual, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions".
#pragma once
#include "bulk-copy-ops.h"
#include "matrix-input.h"

namespace gpumark::device {

constexpr u32 kWgmmaRows = 64;
constexpr u32 kWgmmaColumns = 256;
/** Sums per thread. */
constexpr u32 kWgmmaSums = kWgmmaRows * kWgmmaColumns / 128;

}  // namespace gpumark::device

#if GPUMARK_SIMULATED
#include "wgmma-simulated.h"
#endif

namespace gpumark::device {

/**
 * A tile whose rows are 128 bytes of k, 8 rows in each 1024 bytes, as copied with the 128-byte swizzle. Bits 0-13: the
 * address, 16-29: not used in this layout, 32-45: from one 8 rows to the next, 62-63: the swizzle; all counted in 16
 * bytes.
 */
GPUMARK_DEVICE u64 wgmma_tile(u32 address) {
  return u64{1} << 62 | u64{1024 >> 4} << 32 | u64{1} << 16 | (address & 0x3ffff) >> 4;
}
/** The same tile, `bytes` further along k or `bytes` of whole 1024 further down its rows. */
GPUMARK_DEVICE u64 wgmma_tile_at(u64 tile, u32 bytes) { return tile + (bytes >> 4); }

/** What this thread did with its sums and with shared memory comes before the multiplications that follow. */
GPUMARK_DEVICE void wgmma_begin() {
#if GPUMARK_SIMULATED
  simulated::wgmma_begin();
#else
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}

/** The multiplications since the last end are a group. */
GPUMARK_DEVICE void wgmma_end() {
#if GPUMARK_SIMULATED
  simulated::wgmma_end();
#else
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}

/** Registers per thread of this warpgroup from here on; those given are there for the others. */
template <u32 count>
GPUMARK_DEVICE void give_registers() {
  static_assert(count % 8 == 0 && count >= 24 && count <= 256);
#if !GPUMARK_SIMULATED
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
#endif
}
template <u32 count>
GPUMARK_DEVICE void take_registers() {
  static_assert(count % 8 == 0 && count >= 24 && count <= 256);
#if !GPUMARK_SIMULATED
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
#endif
}

#if !GPUMARK_SIMULATED
#define GPUMARK_SUMS_8(i)                                                                                 \
  "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]), "+f"(sum[i + 5]), \
      "+f"(sum[i + 6]), "+f"(sum[i + 7])
#define GPUMARK_SUMS_32(i) GPUMARK_SUMS_8(i), GPUMARK_SUMS_8(i + 8), GPUMARK_SUMS_8(i + 16), GPUMARK_SUMS_8(i + 24)
#endif

/**
 * Until at most the last `groups` groups of this warpgroup are under way. The sums are named, so that the compiler
 * moves nothing that reads or writes them to the other side: the multiplications change them behind its back.
 */
template <u32 groups>
GPUMARK_DEVICE void wgmma_wait(float (&sum)[kWgmmaSums]) {
#if GPUMARK_SIMULATED
  (void)sum;
  simulated::wgmma_wait(groups);
#else
  asm volatile("wgmma.wait_group.sync.aligned %128;"
               : GPUMARK_SUMS_32(0), GPUMARK_SUMS_32(32), GPUMARK_SUMS_32(64), GPUMARK_SUMS_32(96)
               : "n"(groups)
               : "memory");
#endif
}

#if !GPUMARK_SIMULATED
/** `types`: shape and types; `transposed`: the last two operands, that only 16-bit inputs have. */
#define GPUMARK_WGMMA(types, transposed)                                                                             \
  asm volatile("{\n\t.reg .pred adds;\n\tsetp.ne.b32 adds, %130, 0;\n\twgmma.mma_async.sync.aligned." types          \
               " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "   \
               "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "     \
               "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "     \
               "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "     \
               "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "     \
               "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, " \
               "%114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "               \
               "%128, %129, adds, %131, 1" transposed ";\n\t}"                                                       \
               : GPUMARK_SUMS_32(0), GPUMARK_SUMS_32(32), GPUMARK_SUMS_32(64), GPUMARK_SUMS_32(96)                   \
               : "l"(a), "l"(b), "r"(adds), "n"(sign))
#endif

/**
 * Starts sum = sign * A * B^T (+ sum, where `adds` is not 0), A of kWgmmaRows rows, B of kWgmmaColumns, kStepBytes of
 * k. The sums may not be touched until waited for. Thread t of the 128 has in sum[i] row 16 * (t / 32) + t % 32 / 4 + 8
 * * (i / 2 % 2), column 8 * (i / 4) + 2 * (t % 4) + i % 2.
 */
template <MatrixInput input, int sign = 1>
GPUMARK_DEVICE void wgmma(float (&sum)[kWgmmaSums], u64 a, u64 b, u32 adds) {
#if GPUMARK_SIMULATED
  simulated::wgmma<input, sign>(sum, a, b, adds);
#else
  if constexpr (input == MatrixInput::fp16) GPUMARK_WGMMA("m64n256k16.f32.f16.f16", ", 0, 0");
  if constexpr (input == MatrixInput::bf16) GPUMARK_WGMMA("m64n256k16.f32.bf16.bf16", ", 0, 0");
  if constexpr (input == MatrixInput::tf32) GPUMARK_WGMMA("m64n256k8.f32.tf32.tf32", "");
  if constexpr (input == MatrixInput::e4m3) GPUMARK_WGMMA("m64n256k32.f32.e4m3.e4m3", "");
#endif
}

}  // namespace gpumark::device
