// Runs a multiply-add kernel: used for the peak, for the clock under load, and to warm the device up.
#pragma once
#include "gpu/gpu-check.h"

namespace gpumark {

struct FmaKernelSpec {
  const char* name;
  /** Numbers per chain. */
  int width;
  std::size_t number_bytes;
};

constexpr FmaKernelSpec kFmaFp32 = {"gpumark_fma_fp32", 1, 4};
constexpr FmaKernelSpec kFmaFp32Packed = {"gpumark_fma_fp32_packed", 2, 4};
constexpr FmaKernelSpec kFmaFp64 = {"gpumark_fma_fp64", 1, 8};
constexpr FmaKernelSpec kFmaFp16 = {"gpumark_fma_fp16", 2, 2};

/** What the sensors call this work; a matrix product says more of what a card draws. */
inline const Load kFmaLoad = {"multiply-add probes", 0};

class FmaRun {
 public:
  FmaRun(GpuRun& run, const FmaKernelSpec& kernel);
  /** Seconds of one launch; `rounds` 0 = the calibrated number. */
  double launch(unsigned blocks, std::uint64_t rounds = 0);
  /** Finds grid and rounds for launches of about `seconds`. */
  void calibrate(double seconds);
  /** TFLOP/s of one calibrated launch. */
  double sample();
  /**
   * Clock of the last launch in GHz by the device's own counters, median over the blocks; nothing if they are not
   * usable.
   */
  std::optional<double> clock_ghz() const;
  /** Every thread's sum of a short run against the host's arithmetic, bit for bit. */
  bool right();
  unsigned blocks() const { return blocks_; }

 private:
  double flops(unsigned blocks, std::uint64_t rounds) const;
  GpuRun& run_;
  GpuContext& gpu_;
  FmaKernelSpec kernel_;
  GpuMemory out_, clocks_;
  unsigned blocks_;
  std::uint64_t rounds_ = 1;
};

}  // namespace gpumark
