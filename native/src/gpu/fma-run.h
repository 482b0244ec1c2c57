// Runs a multiply-add kernel: used for the peak, for the clock under load, and for warm-up.
#pragma once
#include "gpu/block-clocks.h"
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

/** Name of this work in the sensor log; lowest rank, since matrix products show a card's power better. */
inline const Load kFmaLoad = {"multiply-add probes", 0};

class FmaRun {
 public:
  FmaRun(GpuRun& run, const FmaKernelSpec& kernel);
  /** Seconds of one launch; `rounds` 0 = the calibrated number. */
  double launch(unsigned blocks, std::uint32_t rounds = 0);
  /** Finds grid and rounds for launches of about `seconds`. */
  void calibrate(double seconds);
  /** TFLOP/s of one calibrated launch. */
  double sample();
  /** Clock of the last launch in GHz, median over the blocks; nullopt if the device's counters are unusable. */
  std::optional<double> clock_ghz() const { return clocks_.ghz(blocks_); }
  const BlockClocks& clocks() const { return clocks_; }
  /** Whether every thread's sum of a short run equals the host's, bit for bit. */
  bool right();
  unsigned blocks() const { return blocks_; }

 private:
  double flops(unsigned blocks, std::uint32_t rounds) const;
  GpuRun& run_;
  GpuContext& gpu_;
  FmaKernelSpec kernel_;
  GpuMemory out_;
  BlockClocks clocks_;
  unsigned blocks_;
  std::uint32_t rounds_ = 1;
};

}  // namespace gpumark
