#include "gpu/gemm/gemm-data.h"

#include <algorithm>

#include "gpu/gpu-check.h"

namespace gpumark {
namespace {

constexpr std::size_t kCaches = 3;
constexpr std::size_t kMostSets = 8;
/** AMD's driver tells of the second-level cache only; the data-centre parts have 256 MiB behind it. */
constexpr std::size_t kAmdCacheBytes = std::size_t{256} << 20;

/** Checksums read 16 bytes at a time. */
std::size_t whole_vectors(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

void fill_normal(GpuRun& run, const GpuMemory& memory, NumberFormat format, std::uint64_t seed, GemmFill how) {
  const unsigned blocks = helper_blocks(run.gpu);
  const bool random = how == GemmFill::random && run.options.random_data;
  run.gpu.launch("gpumark_fill_normal", blocks,
                 device::FillNormalArgs{memory.as<void>(), memory.bytes() / bytes_of(format), seed, static_cast<device::u32>(format), random ? 1u : 0u, blocks});
}

std::size_t sets_for(const GpuRun& run, std::size_t set_bytes, std::size_t limit) {
  const std::size_t cache = std::max(run.gpu.device().l2_bytes, run.gpu.driver().is_nvidia() ? 0 : kAmdCacheBytes);
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
    default: return NumberFormat::fp32;
  }
}

NumberFormat output_format(GemmType type) {
  switch (type) {
    case GemmType::fp64: return NumberFormat::fp64;
    case GemmType::fp16: return NumberFormat::fp16;
    case GemmType::bf16:
    case GemmType::fp8: return NumberFormat::bf16;
    default: return NumberFormat::fp32;
  }
}

std::size_t gemm_set_bytes(GemmType type, const GemmShape& shape) {
  const GemmTypeSpec& spec = spec_of(type);
  return whole_vectors(std::size_t{shape.m} * shape.k * spec.input_bytes) + whole_vectors(std::size_t{shape.n} * shape.k * spec.input_bytes) +
         whole_vectors(std::size_t{shape.m} * shape.n * spec.output_bytes);
}

GemmData::GemmData(GpuRun& run, GemmType type, const GemmShape& shape, GemmFill fill, std::size_t limit) : type_(type), shape_(shape) {
  const GemmTypeSpec& spec = spec_of(type);
  const NumberFormat format = input_format(type, run.gpu.device());
  const std::size_t count = sets_for(run, gemm_set_bytes(type, shape), limit);
  for (std::size_t i = 0; i < count; ++i) {
    Set set;
    set.a = std::make_unique<GpuMemory>(run.gpu, whole_vectors(std::size_t{shape.m} * shape.k * spec.input_bytes));
    set.b = std::make_unique<GpuMemory>(run.gpu, whole_vectors(std::size_t{shape.n} * shape.k * spec.input_bytes));
    set.c = std::make_unique<GpuMemory>(run.gpu, whole_vectors(std::size_t{shape.m} * shape.n * spec.output_bytes));
    fill_normal(run, *set.a, format, run.options.seed + 2 * i, fill);
    fill_normal(run, *set.b, format, run.options.seed + 2 * i + 1, fill);
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
