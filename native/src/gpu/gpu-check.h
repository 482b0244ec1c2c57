// Sums and comparisons that prove outputs right, on the device and on the host.
#pragma once
#include "gpu/gpu-benchmark.h"

namespace gpumark {

/** Blocks of the kernels that are not timed. */
unsigned helper_blocks(const GpuContext& gpu);
/** Fills with random_dyadic(seed, i), or zeros. */
void fill(GpuContext& gpu, const GpuMemory& memory, std::uint64_t seed, bool random);
/** Elements of `a` that differ from dyadic(seed, i) + scalar * dyadic(seed + 1, i). */
std::uint64_t count_wrong(GpuContext& gpu, const GpuMemory& a, std::uint64_t seed, double scalar, bool random);
/** The same, by the host's arithmetic, over the first, middle and last 64 KiB. */
bool host_agrees(const GpuMemory& a, std::uint64_t seed, double scalar, bool random);
/** A number that changes with every bit and every place of the content. */
std::uint64_t checksum(GpuContext& gpu, const GpuMemory& memory);
/** Sum of partial sums, one per thread of `blocks`. */
std::uint64_t add_partials(const GpuMemory& partials, unsigned blocks);
/** Lets the special build of the tests spoil one output. */
void spoil_device_output(const char* benchmark, GpuContext& gpu, const GpuMemory& memory);

}  // namespace gpumark
