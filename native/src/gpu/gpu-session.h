// One opened GPU, behind the interface common to all devices.
#pragma once
#include <memory>

#include "gpu/gpu-benchmark.h"
#include "protocol/emitter.h"

namespace gpumark {

class GpuSession : public Session {
 public:
  /** @throws DeviceUnusable if it cannot be opened or other processes hold its memory */
  GpuSession(const GpuDriver& driver, const GpuDevice& device, const RunOptions& options, Recorder& recorder);
  ~GpuSession() override;
  double expected_seconds(const BenchmarkSpec& benchmark) const override;
  void run(const BenchmarkSpec& benchmark, Recorder& recorder) override;
  std::vector<std::string> self_test() override;
  void try_kernels(const std::set<std::string>& kernels,
                   const std::function<void(const std::string&, bool)>& say) override;

  /** @throws DeviceUnusable, @throws GpuError */
  static void refuse_if_taken(const GpuContext& gpu);

 private:
  void warm_up();
  void explain(const GpuError& error, const BenchmarkSpec& benchmark, Recorder& recorder);
  bool works_again();

  const GpuDriver& driver_;
  GpuDevice device_;
  RunOptions options_;
  /** Null once the device could not be opened again. */
  std::unique_ptr<GpuContext> gpu_;
  std::unique_ptr<SensorLog> sensors_;
  KernelTrust trust_;
  std::unique_ptr<GpuRun> run_;
  bool warm_ = false;
  /** Why nothing more can be measured; empty while the device works. */
  std::string lost_;
};

/** Why GPUs do not measure the benchmark; null if they do. */
const char* why_no_gpu_measures(const BenchmarkSpec& benchmark);

/** The error to report for a device that could not be opened. */
DeviceUnusable why_unusable(const GpuDriver& driver, const GpuDevice& device, const GpuError& error);

/** Measures copies from every device to every other; emits one cell event per ordered pair. */
MatrixOutcome measure_copy_matrix(const GpuDriver& driver, const std::vector<GpuDevice>& devices,
                                  const RunOptions& options, Emitter& emitter);

}  // namespace gpumark
