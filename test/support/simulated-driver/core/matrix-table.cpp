// The matrix kernels' own source, compiled for the host. Their instructions are emulated in C++ as described in the
// vendors' manuals.
#include "core/kernel-table.h"

#include "matrix/matrix.cu"
#include "matrix/tensor-map-simulated.h"

#include "block-scales.h"
#include "core/kernel-spans.h"
#include "core/run-blocks.h"

namespace gpumark::sim {
namespace {

using namespace device;

/**
 * Bytes of an input and an output element for each type of the registry. For block-scaled types the input size follows
 * from the format.
 */
struct ElementBytes {
  unsigned input, output;
  NumberFormat scaled = NumberFormat::fp32;
};
constexpr ElementBytes kBytes_fp64 = {8, 8}, kBytes_tf32 = {4, 4}, kBytes_fp32_matrix = {4, 4}, kBytes_fp32 = {4, 4},
                       kBytes_fp16 = {2, 2}, kBytes_bf16 = {2, 2}, kBytes_mixed = {2, 4}, kBytes_fp8 = {1, 2};
constexpr ElementBytes kBytes_nvfp4 = {0, 2, NumberFormat::nvfp4}, kBytes_mxfp4 = {0, 2, NumberFormat::mxfp4},
                       kBytes_mxfp8 = {0, 2, NumberFormat::mxfp8};
/** AMD's kernels take the scales row by row. */
constexpr ElementBytes in_rows(ElementBytes bytes) {
  if (bytes.scaled == NumberFormat::mxfp4) bytes.scaled = NumberFormat::mxfp4_rows;
  if (bytes.scaled == NumberFormat::mxfp8) bytes.scaled = NumberFormat::mxfp8_rows;
  return bytes;
}
constexpr ElementBytes layout_mma_sync(ElementBytes bytes) { return bytes; }
constexpr ElementBytes layout_wgmma(ElementBytes bytes) { return bytes; }
constexpr ElementBytes layout_tcgen05(ElementBytes bytes) { return bytes; }
constexpr ElementBytes layout_mfma(ElementBytes bytes) { return in_rows(bytes); }
constexpr ElementBytes layout_wmma(ElementBytes bytes) { return bytes; }
constexpr ElementBytes layout_simt(ElementBytes bytes) { return bytes; }

using Args_mma_sync = GemmArgs;
using Args_wgmma = TensorMapGemmArgs;
using Args_tcgen05 = TensorMapGemmArgs;
using Args_mfma = GemmArgs;
using Args_wmma = GemmArgs;
using Args_simt = GemmArgs;

[[maybe_unused]] Spans product_spans(const GemmArgs& args, ElementBytes bytes) {
  const Span c = writes(args.c, std::uint64_t{bytes.output} * args.m * args.n);
  if (is_block_scaled(bytes.scaled))
    return {c, reads(args.a, scaled_bytes(bytes.scaled, args.m, args.k)),
            reads(args.b, scaled_bytes(bytes.scaled, args.n, args.k))};
  return {c, reads(args.a, std::uint64_t{bytes.input} * args.m * args.k),
          reads(args.b, std::uint64_t{bytes.input} * args.n * args.k)};
}
/** The arrays that the tensor maps describe are read. An invalid map is detected by the copy. */
[[maybe_unused]] Spans product_spans(const TensorMapGemmArgs& args, ElementBytes bytes) {
  Spans spans = {writes(args.c, std::uint64_t{bytes.output} * args.m * args.n)};
  for (const TensorMap* map : {&args.a, &args.b}) {
    simulated::MapContents contents;
    if (simulated::read_map(map, &contents)) spans.push_back({contents.address, contents.bytes(), false});
  }
  if (is_block_scaled(bytes.scaled)) {
    const auto scales = [&](const void* from, std::uint64_t rows) {
      return reads(from, scaled_bytes(bytes.scaled, rows, args.k) - scales_begin(bytes.scaled, rows, args.k));
    };
    spans.push_back(scales(args.scales_a, args.m));
    spans.push_back(scales(args.scales_b, args.n));
  }
  return spans;
}

#define GPUMARK_SIM_GEMM(kernel, family, type, tile_m, tile_n, tile_k, stages, threads, cluster, shared) \
  {#kernel,                                                                                              \
   sizeof(Args_##family),                                                                                \
   threads,                                                                                              \
   cluster,                                                                                              \
   run_blocks<Args_##family, kernel, threads, cluster>,                                                  \
   [](const void* bytes, unsigned) {                                                                     \
     return product_spans(*static_cast<const Args_##family*>(bytes), layout_##family(kBytes_##type));    \
   }},
#define GPUMARK_SIM_ISSUE(kernel, family, type, threads, shared, operations)                       \
  {#kernel,                                                                                        \
   sizeof(IssueArgs),                                                                              \
   threads,                                                                                        \
   1,                                                                                              \
   run_blocks<IssueArgs, kernel, threads, 1>,                                                      \
   [](const void* bytes, unsigned blocks) {                                                        \
     const auto& args = *static_cast<const IssueArgs*>(bytes);                                     \
     return Spans{writes(args.out, 4ull * blocks * threads), writes(args.clocks, 16ull * blocks)}; \
   }},

const Kernel kMatrixKernels[] = {GPUMARK_MATRIX_GEMMS(GPUMARK_SIM_GEMM)
                                     GPUMARK_ISSUE_KERNELS(GPUMARK_SIM_ISSUE){nullptr, 0, 0, 0, nullptr, nullptr}};

}  // namespace

const Kernel* find_matrix_kernel(const std::string& name) {
  for (const Kernel* kernel = kMatrixKernels; kernel->name; ++kernel) {
    if (name == kernel->name) return kernel;
  }
  return nullptr;
}

}  // namespace gpumark::sim
