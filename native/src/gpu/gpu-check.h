// Sums and comparisons that verify outputs, on the device and on the host.
#pragma once
#include "gpu/gpu-benchmark.h"

namespace gpumark {

/** Number of blocks for untimed kernels. */
unsigned helper_blocks(const GpuContext& gpu);
/** Fills with random_dyadic(seed, i), or zeros. */
void fill(GpuContext& gpu, const GpuMemory& memory, std::uint64_t seed, bool random);
/** Elements of `a` that differ from dyadic(seed, i) + scalar * dyadic(seed + 1, i). */
std::uint64_t count_wrong(GpuContext& gpu, const GpuMemory& a, std::uint64_t seed, double scalar, bool random);
/** The same check on the host, over the first, middle and last 64 KiB. */
bool host_agrees(const GpuMemory& a, std::uint64_t seed, double scalar, bool random);
/** A checksum that depends on every bit and its position. */
std::uint64_t checksum(GpuContext& gpu, const GpuMemory& memory);
/** Sum of partial sums, one per thread of `blocks`. */
std::uint64_t add_partials(const GpuMemory& partials, unsigned blocks);
/** Lets the tests' fault-injecting build corrupt one output. */
void spoil_device_output(const char* benchmark, GpuContext& gpu, const GpuMemory& memory);

}  // namespace gpumark
