// A context for matrix products in unit checks: two workers on one core, caches of a small processor, random data.
#pragma once
#include <fcntl.h>
#include <memory>

#include "cpu/cpu-context.h"
#include "cpu/gemm-plan.h"
#include "cpu/gemm-run.h"
#include "sensors/cpu-sensor.h"

class SmallProducts {
 public:
  SmallProducts()
      : emitter_(open("/dev/null", O_WRONLY | O_CLOEXEC)),
        recorder_(emitter_, "cpu-0"),
        features_(gpumark::detect_cpu_features()),
        pool_({0, 0}) {
    options_.sysfs_root = "/nonexistent";
    topology_.l2_bytes = 256 << 10;
    sensors_ =
        std::make_unique<gpumark::SensorLog>(std::make_unique<gpumark::CpuSensor>(options_.sysfs_root), recorder_);
    context_ = std::make_unique<gpumark::CpuContext>(
        gpumark::CpuContext{options_, topology_, features_, gpumark::best_kernels(features_), pool_, *sensors_});
  }
  gpumark::CpuContext& context() { return *context_; }
  gpumark::RunOptions& options() { return options_; }

  /** One product of the smallest size >= n that the kernel takes, three panels deep; its size when right, else 0. */
  template <class Types>
  std::size_t right_size(const gpumark::GemmKernel& kernel, std::size_t n) {
    using namespace gpumark;
    const std::size_t size = round_to_tile(kernel, n);
    GemmRun<Types> run(
        *context_, plan_blocking(topology_, pool_.size(), kernel, size, size / 3 + 1, sizeof(typename Types::Input)));
    if (!run) return 0;
    run.slice();
    return run.verify("").right ? size : 0;
  }

 private:
  gpumark::Emitter emitter_;
  gpumark::Recorder recorder_;
  gpumark::RunOptions options_;
  gpumark::Topology topology_;
  gpumark::CpuFeatures features_;
  gpumark::ThreadPool pool_;
  std::unique_ptr<gpumark::SensorLog> sensors_;
  std::unique_ptr<gpumark::CpuContext> context_;
};
