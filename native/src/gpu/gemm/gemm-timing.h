// How long a product takes: over operand sets in turn, behind the kernel that holds the stream.
#pragma once
#include "gpu/gemm/gemm-data.h"
#include "gpu/gemm/gemm-engine.h"

namespace gpumark {

/** What a sample of a product lasts about. */
constexpr double kGemmSampleSeconds = 5e-3;

class GemmTiming {
 public:
  GemmTiming(GpuRun& run, GemmWay& way, const GemmData& data) : run_(run), way_(way), data_(data) {}
  /** One product that is not timed: the first of every way. @throws GpuError */
  void warm();
  /** Mean seconds of one product, of `products` enqueued together. @throws GpuError */
  double seconds(int products);
  /** Finds how many products last about `seconds`, after a warm one. @returns the seconds of one */
  double calibrate(double seconds);
  /** TFLOP/s of one calibrated stretch. */
  double sample() { return data_.shape().operations() / seconds(products_) * 1e-12; }

 private:
  GpuRun& run_;
  GemmWay& way_;
  const GemmData& data_;
  std::size_t next_ = 0;
  int products_ = 1;
};

/** A way that was tried, and its best TFLOP/s. */
struct Trial {
  std::unique_ptr<GemmWay> way;
  double tflops = 0;
};

/**
 * Times every way on this data, the promising first, until `budget_seconds` are spent, though at least 16; then those
 * near the best, three at most, against each other. The result is ordered, fastest first; ways that the library refuses
 * are left out. @param tried how many were timed
 */
std::vector<Trial> try_ways(GpuRun& run, GemmWays ways, const GemmData& data, double budget_seconds, int& tried);

}  // namespace gpumark
