// One product type on one device, by both engines: size, trials, verification, samples, and the figures beside the
// headline.
#pragma once
#include <set>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/gemm/gemm-proof.h"
#include "gpu/gemm/gemm-series.h"

namespace gpumark {

/** Shares of the time besides the series' (gemm-series.cpp), without preparation and verification. */
struct GemmShares {
  double trial, other, first, zeros, search;
};
/**
 * In the quick tier the series needs 0.8 of the time, because its load must be long: what stands beside the headline
 * has the rest. The warm-up of each but the trial is half as long again. The library's first proposal follows its
 * verification, during which the device rests: with less than a third of a second its burst would look like a lead, and
 * cost a second series.
 */
constexpr GemmShares shares_of(Tier tier) {
  return tier == Tier::quick ? GemmShares{0.04, 0.015, 0.069, 0.01, 0.02} : GemmShares{0.12, 0.1, 0.05, 0.07, 0.1};
}

class GemmMeasurement {
 public:
  /** @param seconds for everything except preparation and verification */
  GemmMeasurement(GpuRun& run, GemmType type, double seconds, const BenchmarkSpec& spec, Recorder& recorder)
      : run_(run), type_(type), seconds_(seconds), spec_(spec), recorder_(recorder) {}
  /** Reports the same figure for every metric. @throws GpuError */
  void measure(const std::vector<MetricOf>& metrics);

 private:
  /** Result of one engine: a verified candidate with its samples, or a reason. */
  struct Contender {
    const char* engine = "";
    std::unique_ptr<GemmCandidate> chosen;
    std::string reason;
    Absence absence = Absence::hardware;
    /** At least one of its products was wrong. */
    bool wrong = false;
    int tried = 0;
    std::vector<GemmEngine::Refused> refused;
    GemmProof proof;
    std::optional<GemmFigure> figure;
    /**
     * Of a library: its first proposal, which frameworks use. Null if that is `chosen` itself, or was not available.
     */
    std::unique_ptr<GemmCandidate> first;
    bool first_is_chosen = false;
    std::optional<double> first_tflops;
    /** Load class of first_tflops. */
    const char* first_load = "brief";
    GemmProof first_proof;
    /** Why first_tflops is missing. */
    std::string first_reason = "the library proposed none";
  };

  bool choose_shape(std::vector<EngineSlot>& slots);
  Contender contend(EngineSlot& slot, const GemmData& data);
  /**
   * Chooses from the trials the fastest candidate that is right and repeats bit for bit, and keeps the library's first
   * proposal.
   */
  void choose_candidate(Contender& one, std::vector<Trial>& trials, const GemmData& data);
  std::optional<GemmFigure> sample_briefly(GemmCandidate& candidate, const GemmData& data, double share);
  void sample_first(Contender& one, const GemmData& data);
  /** Makes the first proposal the chosen candidate if it was faster under load. */
  bool first_takes_over(Contender& one);
  void add_zeros(Contender& headline, JsonObject& details);
  void search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details);
  JsonObject details_of(const Contender& one) const;
  void answer(const std::vector<MetricOf>& metrics, const Contender& headline, const JsonObject& details);
  void answer_none(const std::vector<MetricOf>& metrics, const std::vector<Contender>& contenders);

  GpuRun& run_;
  GemmType type_;
  double seconds_;
  const BenchmarkSpec& spec_;
  Recorder& recorder_;
  GemmShape shape_;
};

}  // namespace gpumark
