// The measured series of a headline product: rates until they settle, and the power drawn meanwhile.
#pragma once
#include "gpu/gemm/gemm-stretches.h"
#include "measure/load-class.h"
#include "sensors/load-power.h"

namespace gpumark {

struct MetricOf {
  const char* metric;
  /** For fp32_tflops and its siblings, the arithmetic used: "tf32", "fp32_matrix" or "simt"; empty for all others. */
  const char* mode;
};

struct GemmSeries {
  /** TFLOP/s of the stretches that count, one after the other without a gap. */
  std::vector<double> rates;
  /** Their figure; nullopt if they are too few. */
  std::optional<GemmFigure> figure;
  /** Stretches at whose end nothing was enqueued. */
  int gaps = 0;
  /** Number of pieces taken; only the last ones count, since the rate drifted before. */
  int pieces = 0;
  double warmed_seconds = 0, limit_seconds = 0;
  /** Warm-up and all pieces. */
  double loaded_seconds = 0;
  /** Warm-up and the pieces that do not count, then those that do. */
  LoadTime load;
  /** The first quarter of a second after a rest, the beginning of the warm-up; nullopt if that is shorter. */
  std::optional<GemmFigure> burst;
  LoadPower power;
  std::vector<double> clocks;
  std::optional<unsigned> throttle;

  /** Adds settled, drift, power, clock and throttle reasons. @param operations of one product */
  void add_details(double operations, const std::string& energy_source, JsonObject& details) const;
};

/**
 * @param seconds for the benchmark as a whole. The quick tier takes one series; the others continue until their last
 * pieces are settled or the series' time is over (measure/drift.h).
 * @throws GpuError
 */
GemmSeries sample_series(GpuRun& run, GemmCandidate& candidate, const GemmData& data, double seconds,
                         const std::vector<MetricOf>& metrics, Recorder& recorder);

}  // namespace gpumark
