// The same matrix product again and again under full power, every bit compared with the first one's.
#pragma once
#include "gpu/gpu-benchmark.h"

namespace gpumark {

struct RepeatedProducts {
  std::int64_t repetitions = 0;
  /** Repetitions whose output differed. */
  std::int64_t different = 0;
  /**
   * Type, engine, flipped bits, terabytes that the products read and wrote, flips per terabyte, location of the first
   * flips, mean power.
   */
  JsonObject details;
};

/**
 * Zero repetitions, with a reason in the details, if no engine has a product that is right and repeats. @throws
 * GpuError
 */
RepeatedProducts repeat_products(GpuRun& run, const BenchmarkSpec& spec, double seconds);

}  // namespace gpumark
