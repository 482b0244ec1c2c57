#include "gpu/gemm/gemm-data.h"

#include <algorithm>

#include "block-scales.h"
#include "gpu/gpu-check.h"
#include "gpu/vendor.h"

namespace gpumark {
namespace {

constexpr std::size_t kCaches = 3;
constexpr std::size_t kMostSets = 8;

/** Checksums read 16 bytes at a time. */
std::size_t whole_vectors(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/** Bytes of `rows` rows of k inputs, scales included. */
std::size_t input_size(NumberFormat format, std::size_t rows, unsigned k) {
  return is_block_scaled(format) ? scaled_bytes(format, rows, k) : whole_vectors(rows * k * bytes_of(format));
}

void fill_normal(GpuRun& run, const GpuMemory& memory, NumberFormat format, std::size_t rows, unsigned k,
                 std::uint64_t seed, GemmFill how) {
  const unsigned blocks = helper_blocks(run.gpu);
  const bool random = how == GemmFill::random && run.options.random_data, scaled = is_block_scaled(format);
  const std::size_t count = scaled ? memory.bytes() : memory.bytes() / bytes_of(format);
  run.gpu.launch("gpumark_fill_normal", blocks,
                 device::FillNormalArgs{memory.as<void>(), count, seed, scaled ? scales_begin(format, rows, k) : 0,
                                        static_cast<device::u32>(format), random ? 1u : 0u, blocks});
}

std::size_t sets_for(const GpuRun& run, std::size_t set_bytes, std::size_t limit) {
  const std::size_t cache = std::max(run.gpu.device().l2_bytes, run.gpu.driver().vendor().untold_cache_bytes);
  const std::size_t wanted = std::min(kMostSets, (kCaches * cache + set_bytes - 1) / set_bytes);
  return std::max<std::size_t>(1, std::min(wanted, limit / set_bytes));
}

}  // namespace

NumberFormat input_format(GemmType type, const GpuDevice& device) {
  switch (type) {
    case GemmType::fp64: return NumberFormat::fp64;
    case GemmType::fp16:
    case GemmType::mixed: return NumberFormat::fp16;
    case GemmType::bf16: return NumberFormat::bf16;
    case GemmType::fp8: return device.architecture == "gfx942" ? NumberFormat::e4m3_fnuz : NumberFormat::e4m3;
    // The scale layout that each vendor's library expects: tiles on NVIDIA, rows on AMD.
    case GemmType::nvfp4: return NumberFormat::nvfp4;
    case GemmType::mxfp4: return device.architecture == "gfx950" ? NumberFormat::mxfp4_rows : NumberFormat::mxfp4;
    case GemmType::mxfp8: return device.architecture == "gfx950" ? NumberFormat::mxfp8_rows : NumberFormat::mxfp8;
    default: return NumberFormat::fp32;
  }
}

NumberFormat output_format(GemmType type) {
  switch (type) {
    case GemmType::fp64: return NumberFormat::fp64;
    case GemmType::fp16: return NumberFormat::fp16;
    case GemmType::bf16:
    case GemmType::fp8:
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8: return NumberFormat::bf16;
    default: return NumberFormat::fp32;
  }
}

std::size_t gemm_set_bytes(GemmType type, const GemmShape& shape) {
  const GemmTypeSpec& spec = spec_of(type);
  if (is_block_scaled(type)) {
    const NumberFormat format = type == GemmType::nvfp4   ? NumberFormat::nvfp4
                                : type == GemmType::mxfp4 ? NumberFormat::mxfp4
                                                          : NumberFormat::mxfp8;
    return input_size(format, shape.m, shape.k) + input_size(format, shape.n, shape.k) +
           whole_vectors(std::size_t{shape.m} * shape.n * spec.output_bytes);
  }
  return whole_vectors(std::size_t{shape.m} * shape.k * spec.input_bytes) +
         whole_vectors(std::size_t{shape.n} * shape.k * spec.input_bytes) +
         whole_vectors(std::size_t{shape.m} * shape.n * spec.output_bytes);
}

GemmData::GemmData(GpuRun& run, GemmType type, const GemmShape& shape, GemmFill fill, std::size_t limit)
    : type_(type), shape_(shape) {
  const GemmTypeSpec& spec = spec_of(type);
  const NumberFormat format = input_format(type, run.gpu.device());
  const std::size_t count = sets_for(run, gemm_set_bytes(type, shape), limit);
  for (std::size_t i = 0; i < count; ++i) {
    Set set;
    set.a = std::make_unique<GpuMemory>(run.gpu, input_size(format, shape.m, shape.k));
    set.b = std::make_unique<GpuMemory>(run.gpu, input_size(format, shape.n, shape.k));
    set.c = std::make_unique<GpuMemory>(run.gpu, whole_vectors(std::size_t{shape.m} * shape.n * spec.output_bytes));
    fill_normal(run, *set.a, format, shape.m, shape.k, run.options.seed + 2 * i, fill);
    fill_normal(run, *set.b, format, shape.n, shape.k, run.options.seed + 2 * i + 1, fill);
    set.c->poison();
    sets_.push_back(std::move(set));
  }
  run.gpu.wait();
}

GemmOperands GemmData::operands(std::size_t index) const {
  const Set& set = sets_[index % sets_.size()];
  return {set.a->address(), set.b->address(), set.c->address()};
}

}  // namespace gpumark
