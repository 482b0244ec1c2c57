// Products without a gap: stretches of equal length, of which some are always enqueued, between events that end one and
// begin the next. The device never waits for the host, as in a training step, and what it does is all counted.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gpu/gemm/gemm-timing.h"
#include "measure/statistics.h"

namespace gpumark {

/** A rate over time. */
struct GemmFigure {
  /** Operations of all stretches over the time from the first event to the last. */
  double tflops = 0;
  /** Of the stretches; `cv` is over blocks of 100 ms, since a stretch is shorter than a power controller's step. */
  Statistics stretches;
  /** Products and seconds that are counted. */
  double products = 0, seconds = 0;
  /** measure/load-class.h: set by the caller, which knows what came before. */
  const char* load = "brief";
};

class GemmStretches {
 public:
  /**
   * Holds the stream until the first stretches are enqueued.
   * @param rest_seconds for which the device idles before
   * @throws GpuError
   */
  GemmStretches(GpuRun& run, GemmCandidate& candidate, const GemmData& data, double rest_seconds = 0);
  /** Waits for what is enqueued. */
  ~GemmStretches();
  GemmStretches(const GemmStretches&) = delete;
  GemmStretches& operator=(const GemmStretches&) = delete;
  /** TFLOP/s of the next stretch, and enqueues another. @throws GpuError */
  double next();
  /** Stretches at whose end nothing was enqueued: the device may have waited, and the figure holds that time. */
  int gaps() const { return gaps_; }
  /** The figure of stretches that followed each other; nullopt below three. */
  std::optional<GemmFigure> figure(const std::vector<double>& rates) const;

 private:
  void enqueue();

  GpuContext& gpu_;
  GemmTiming timing_;
  /** Of one stretch. */
  double operations_ = 0, products_ = 0;
  /** What ends the stretches that are enqueued, after the one that ended the last that was read. */
  std::vector<std::unique_ptr<GpuEvent>> ends_;
  int gaps_ = 0;
};

}  // namespace gpumark
