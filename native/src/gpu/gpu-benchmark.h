// The environment of a GPU benchmark.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "gpu/gpu-context.h"
#include "gpu/gpu-memory.h"

namespace gpumark {

/** Arrays are whole tiles. */
inline std::size_t whole_tiles(std::size_t bytes) { return bytes / device::kTileBytes * device::kTileBytes; }

/**
 * Separate orders for several blocks through one set need a prime number of tiles (device/cache.h): the largest within
 * `bytes`, 1 if there is none.
 */
inline std::size_t prime_tiles(std::size_t bytes) {
  const auto is_prime = [](std::size_t n) {
    for (std::size_t i = 2; i * i <= n; ++i) {
      if (n % i == 0) return false;
    }
    return true;
  };
  std::size_t tiles = bytes < device::kTileBytes ? 1 : bytes / device::kTileBytes;
  while (!is_prime(tiles)) --tiles;
  return tiles;
}

/**
 * Which of our matrix kernels have passed verification on this device. None is timed before that: most were written
 * without access to such a device.
 */
class KernelTrust {
 public:
  enum class State { untried, proven, refused };

  State state(const std::string& kernel) const {
    const auto found = entries_.find(kernel);
    if (found != entries_.end()) return found->second.state;
    return refused_others_.empty() || survived_.count(kernel) ? State::untried : State::refused;
  }
  /** Why the kernel was refused: "4711 elements of the product are off …". */
  const std::string& reason(const std::string& kernel) const {
    const auto found = entries_.find(kernel);
    return found == entries_.end() ? refused_others_ : found->second.reason;
  }

  /** False for a kernel that was refused because of others. */
  bool was_tried(const std::string& kernel) const { return entries_.count(kernel) > 0; }

  /** A device failure before conclude() is attributed to this kernel. */
  void begin_trial(const std::string& kernel) {
    on_trial_ = kernel;
    if (watch_) watch_(kernel, true);
  }
  void conclude(bool proven, const std::string& reason) {
    entries_[on_trial_] = {proven ? State::proven : State::refused, reason};
    if (watch_) watch_(on_trial_, false);
    on_trial_.clear();
  }
  /** Called after a failed driver call: refuses the kernel under trial; false if there is none. */
  bool blame(const std::string& error) {
    if (on_trial_.empty()) return false;
    conclude(false, error);
    return true;
  }

  void refuse(const std::string& kernel, const std::string& reason) { entries_[kernel] = {State::refused, reason}; }
  /** Called with each kernel whose trial begins (true) or ends. */
  void watch(std::function<void(const std::string&, bool)> watch) { watch_ = std::move(watch); }

  /** Those of the kernels that have not been named before: they are to be tried in a process of their own. */
  std::set<std::string> begin_apart(std::set<std::string> kernels) {
    for (const std::string& known : apart_) kernels.erase(known);
    apart_.insert(kernels.begin(), kernels.end());
    return kernels;
  }
  /** Refuses every kernel that has no state yet, but those that survived their trial in a process of its own. */
  void refuse_but(const std::set<std::string>& survived, const std::string& reason) {
    survived_.insert(survived.begin(), survived.end());
    refused_others_ = reason;
  }

 private:
  struct Entry {
    State state = State::untried;
    std::string reason;
  };
  std::map<std::string, Entry> entries_;
  std::string on_trial_;
  std::function<void(const std::string&, bool)> watch_;
  std::set<std::string> apart_, survived_;
  /** Why all others are refused; empty if they are not. */
  std::string refused_others_;
};

struct GpuRun {
  const RunOptions& options;
  GpuContext& gpu;
  SensorLog& sensors;
  /** Outlives the context: a kernel that broke one context stays refused in the next. */
  KernelTrust& trust;

  double seconds(const BenchmarkSpec& benchmark) const { return options.seconds(benchmark); }
  const char* data_name() const { return options.random_data ? "random" : "zeros"; }
  /**
   * Bytes that the benchmarks may hold at once: this share of the free memory in percent, or the caller's limit if that
   * is lower.
   */
  std::size_t memory_limit(std::size_t percent = 90) const {
    const std::size_t most = gpu.free_bytes() / 100 * percent;
    return options.max_memory_bytes && options.max_memory_bytes < most
               ? static_cast<std::size_t>(options.max_memory_bytes)
               : most;
  }
  /**
   * Adds the device's clock as last read by its sensors, up to 200 ms ago, and whether the stream was held while the
   * work was enqueued.
   */
  void add_conditions(JsonObject& details) const {
    details.number("sensor_clock_mhz", sensors.clock_mhz()).boolean("held_until_enqueued", gpu.held());
  }
};

void measure_gpu_clock(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_fma(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_matrix_issue(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_fp32(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_fp64(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_fp16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_bf16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_fp8(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_mixed(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_nvfp4(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_mxfp4(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_gemm_mxfp8(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_memory(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_cache(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_latency(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_copy(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_link(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_dispatch(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_repeat(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);
void measure_gpu_march(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder);

/** Runs the trial of every kernel of matrix_issue that this device has. @throws GpuError */
void try_issue_kernels(GpuRun& run);

/** Runs every kernel on small inputs; returns the names of those whose output differs from the host's arithmetic. */
std::vector<std::string> self_test_gpu(GpuRun& run);

}  // namespace gpumark
