// The same matrix product again and again under full power, every bit compared with the first one's.
#pragma once
#include "gpu/gpu-benchmark.h"

namespace gpumark {

struct RepeatedProducts {
  std::int64_t repetitions = 0;
  /** Repetitions that gave other bits. */
  std::int64_t different = 0;
  /**
   * Type, engine, bits that flipped, terabytes that the products read and wrote, flips per terabyte, where the first
   * ones lay, mean power.
   */
  JsonObject details;
};

/** None, with a reason in the details, if no engine has a product that is right and repeats. @throws GpuError */
RepeatedProducts repeat_products(GpuRun& run, const BenchmarkSpec& spec, double seconds);

}  // namespace gpumark
