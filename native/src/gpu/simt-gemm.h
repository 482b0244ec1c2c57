// A square matrix product on the ordinary lanes: size, timing and proof.
#pragma once
#include <memory>

#include "gpu/gpu-check.h"

namespace gpumark {

enum class GemmNumber { fp32, fp64 };

class SimtGemm {
 public:
  struct Verdict {
    bool right = false;
    bool repeats = false;
    JsonObject details;
  };

  /** Chooses n: 8192 where memory and time allow, else a smaller power of two; n() = 0 where not even the smallest fits. */
  SimtGemm(GpuRun& run, GemmNumber number);
  /** One product of n x n matrices, or several where one is short; TFLOP/s. */
  double sample();
  /** Every element against another kernel's chain of multiply-adds, some against the host's, and a repetition bit for bit. */
  Verdict verify(const char* benchmark);
  unsigned n() const { return n_; }
  const char* kernel() const;
  /** Small sizes against the host, all elements; for the self-test. */
  static bool is_right(GpuRun& run, GemmNumber number);

 private:
  SimtGemm(GpuRun& run, GemmNumber number, unsigned n);
  void prepare(unsigned n);
  void multiply();
  double seconds_of(int launches);
  std::uint64_t count_wrong_elements();
  bool host_agrees_on_some();
  std::size_t bytes() const { return std::size_t{n_} * n_ * number_bytes(); }
  std::size_t number_bytes() const { return number_ == GemmNumber::fp32 ? 4 : 8; }
  unsigned tile() const { return number_ == GemmNumber::fp32 ? 128 : 64; }

  GpuRun& run_;
  GpuContext& gpu_;
  GemmNumber number_;
  unsigned n_ = 0;
  int launches_ = 1;
  std::unique_ptr<GpuMemory> a_, b_, c_;
};

}  // namespace gpumark
