#include "gpu/gpu-check.h"

#include "measure/fault.h"
#include "random-words.h"

namespace gpumark {

unsigned helper_blocks(const GpuContext& gpu) { return gpu.blocks(8); }

void fill(GpuContext& gpu, const GpuMemory& memory, std::uint64_t seed, bool random) {
  const unsigned blocks = helper_blocks(gpu);
  gpu.launch("gpumark_fill", blocks,
             device::FillArgs{memory.as<double>(), memory.bytes() / sizeof(double), seed, random ? 1u : 0u, blocks});
}

std::uint64_t count_wrong(GpuContext& gpu, const GpuMemory& a, std::uint64_t seed, double scalar, bool random) {
  const GpuMemory wrong(gpu, 256);
  wrong.clear();
  const unsigned blocks = helper_blocks(gpu);
  gpu.launch("gpumark_check", blocks,
             device::CheckArgs{a.as<double>(), a.bytes() / sizeof(double), seed, scalar, wrong.as<device::u64>(),
                               random ? 1u : 0u, blocks});
  return wrong.read<std::uint64_t>(1)[0];
}

bool host_agrees(const GpuMemory& a, std::uint64_t seed, double scalar, bool random) {
  constexpr std::size_t kSlice = 65536 / sizeof(double);
  const std::size_t count = a.bytes() / sizeof(double);
  const std::size_t slice = count < kSlice ? count : kSlice;
  for (const std::size_t first : {std::size_t{0}, (count - slice) / 2, count - slice}) {
    const std::vector<double> values = a.read<double>(slice, first);
    for (std::size_t i = 0; i < slice; ++i) {
      const double expected =
          random ? random_dyadic(seed, first + i) + scalar * random_dyadic(seed + 1, first + i) : 0.0;
      if (!(values[i] == expected)) return false;
    }
  }
  return true;
}

std::uint64_t checksum(GpuContext& gpu, const GpuMemory& memory) {
  const unsigned blocks = helper_blocks(gpu);
  const GpuMemory partials(gpu, std::size_t{blocks} * device::kBlockThreads * sizeof(std::uint64_t));
  gpu.launch("gpumark_checksum", blocks,
             device::ChecksumArgs{memory.as<void>(), memory.bytes() / device::kVectorBytes, partials.as<device::u64>(),
                                  blocks});
  return add_partials(partials, blocks);
}

std::uint64_t add_partials(const GpuMemory& partials, unsigned blocks) {
  std::uint64_t sum = 0;
  for (const std::uint64_t one : partials.read<std::uint64_t>(std::size_t{blocks} * device::kBlockThreads)) sum += one;
  return sum;
}

void spoil_device_output(const char* benchmark, GpuContext& gpu, const GpuMemory& memory) {
  std::vector<unsigned char> bytes = memory.read<unsigned char>(memory.bytes() < 4096 ? memory.bytes() : 4096);
  const std::vector<unsigned char> before = bytes;
  spoil_output(benchmark, bytes.data(), bytes.size());
  if (bytes == before) return;
  gpu.check(gpu.call().copy_to_device(memory.address(), bytes.data(), bytes.size(), gpu.stream()),
            "copying to the device");
  gpu.wait();
}

}  // namespace gpumark
