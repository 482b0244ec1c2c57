// The environment of a CPU benchmark.
#pragma once
#include "backends/backend.h"
#include "cpu/features.h"
#include "cpu/kernels/kernel-set.h"
#include "cpu/thread-pool.h"
#include "cpu/topology.h"
#include "sensors/sensor-log.h"

namespace gpumark {

struct CpuContext {
  const RunOptions& options;
  const Topology& topology;
  const CpuFeatures& features;
  const KernelSet& kernels;
  ThreadPool& pool;
  SensorLog& sensors;

  /**
   * Bytes that a benchmark may hold. Asked before each allocation: on a machine with a large cache the arrays take many
   * GB, and others may have taken memory since the last one. Two runners that cannot see each other (see MemoryTurn)
   * and ask at once leave a quarter of the memory to the rest of the machine.
   */
  std::uint64_t memory_limit() const {
    return options.max_memory_bytes ? options.max_memory_bytes : available_memory(options.sysfs_root) / 8 * 3;
  }
  const char* data_name() const { return options.random_data ? "random" : "zeros"; }
};

void measure_clock(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_fma(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gemm_fp32(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gemm_fp64(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gemm_bf16(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gemm_fp16(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gemm_mixed(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_memory(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_cache(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_copy(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);
void measure_dispatch(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder);

/** Contiguous share of `total` for one thread, aligned to `grain`. */
struct Share {
  std::size_t begin;
  std::size_t end;
};
inline Share share_of(std::size_t total, int thread, int threads, std::size_t grain) {
  const std::size_t grains = total / grain;
  const auto t = static_cast<std::size_t>(thread);
  const auto n = static_cast<std::size_t>(threads);
  const std::size_t end = thread + 1 == threads ? total : grains * (t + 1) / n * grain;
  return {grains * t / n * grain, end};
}

/** Runs every kernel of every supported instruction set on small inputs; returns the names of those that were wrong. */
std::vector<std::string> self_test_cpu(CpuContext& cpu);

}  // namespace gpumark
