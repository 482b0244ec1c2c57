// One product type on one device, by both engines: size, trials, proof, samples, and what stands beside the headline.
#pragma once
#include <set>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/gemm/gemm-proof.h"
#include "gpu/gemm/gemm-series.h"

namespace gpumark {

/** Shares of the time beside the series' own (gemm-series.cpp); preparation and proof are not in it. */
struct GemmShares {
  double trial, other, first, zeros, search;
};
/** In the quick tier the series needs most of the time, for its load has to be long. */
constexpr GemmShares shares_of(Tier tier) {
  return tier == Tier::quick ? GemmShares{0.07, 0.06, 0.06, 0.04, 0.05} : GemmShares{0.12, 0.1, 0.05, 0.07, 0.1};
}

class GemmMeasurement {
 public:
  /** @param seconds for everything but preparation and proof */
  GemmMeasurement(GpuRun& run, GemmType type, double seconds, const BenchmarkSpec& spec, Recorder& recorder)
      : run_(run), type_(type), seconds_(seconds), spec_(spec), recorder_(recorder) {}
  /** Answers every metric, the same figure for each. @throws GpuError */
  void measure(const std::vector<MetricOf>& metrics);

 private:
  /** What an engine gave: a proven way with its samples, or a reason. */
  struct Contender {
    const char* engine = "";
    std::unique_ptr<GemmWay> way;
    std::string reason;
    Absence absence = Absence::hardware;
    /** Some product of it was wrong. */
    bool wrong = false;
    int tried = 0;
    std::vector<GemmEngine::Refused> refused;
    GemmProof proof;
    std::optional<Statistics> stats;
    /**
     * Of a library: what it proposes first, which is what frameworks take. Null if that is `way` itself, or was not
     * available.
     */
    std::unique_ptr<GemmWay> first;
    bool first_is_way = false;
    std::optional<double> first_tflops;
    GemmProof first_proof;
    /** Why first_tflops is not known. */
    std::string first_reason = "the library proposed none";
  };

  bool choose_shape(std::vector<EngineSlot>& slots);
  Contender contend(EngineSlot& slot, const GemmData& data);
  /**
   * Takes from the trials the fastest that is right and gives the same bits again, and the library's first proposal.
   */
  void choose_way(Contender& one, std::vector<Trial>& trials, const GemmData& data);
  std::optional<Statistics> sample_briefly(GemmWay& way, const GemmData& data, double share);
  void sample_first(Contender& one, const GemmData& data);
  /** Makes the first proposal the way of `one` if it was faster under load. */
  bool first_takes_over(Contender& one);
  std::optional<double> zeros_ratio(Contender& headline);
  void search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details);
  JsonObject describe(const Contender& one) const;
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
