// Times a product: cycling through operand sets, enqueued behind the kernel that holds the stream.
#pragma once
#include "gpu/gemm/gemm-data.h"
#include "gpu/gemm/gemm-engine.h"

namespace gpumark {

/** Target time of one sample of a product. */
constexpr double kGemmSampleSeconds = 5e-3;

class GemmTiming {
 public:
  GemmTiming(GpuRun& run, GemmCandidate& candidate, const GemmData& data)
      : run_(run), candidate_(candidate), data_(data) {}
  /** Runs one product untimed, the first of every candidate. @throws GpuError */
  void warm();
  /** Mean seconds of one product, of `products` enqueued together. @throws GpuError */
  double seconds(int products);
  /** Finds how many products take about `seconds`, after one untimed product. @returns seconds per product */
  double calibrate(double seconds);
  /** The number of products that calibrate() found, and enqueues as many. */
  int products() const { return products_; }
  void enqueue() { enqueue(products_); }
  /** TFLOP/s of one calibrated sample. */
  double sample() { return data_.shape().operations() / seconds(products_) * 1e-12; }

 private:
  void enqueue(int products);
  GpuRun& run_;
  GemmCandidate& candidate_;
  const GemmData& data_;
  std::size_t next_ = 0;
  int products_ = 1;
};

/** A candidate that was tried, and its best TFLOP/s. */
struct Trial {
  std::unique_ptr<GemmCandidate> candidate;
  double tflops = 0;
};

/**
 * Times the candidates on this data in order until `budget_seconds` are spent, but at least 16; then those near the
 * best, three at most, against each other. The result is sorted, fastest first, without candidates that the library
 * refuses. @param tried how many were timed
 */
std::vector<Trial> try_candidates(GpuRun& run, GemmCandidates candidates, const GemmData& data, double budget_seconds,
                                  int& tried);

}  // namespace gpumark
