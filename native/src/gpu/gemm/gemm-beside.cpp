// What stands beside the headline of a product: the library's first proposal, zeros, and shapes that are faster.
#include <utility>

#include "gpu/gemm/gemm-measurement.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** What a brief look gives its way to take over from the one before, as a part of the time of its samples. */
constexpr double kTakeOver = 0.5;
/** By so much the first proposal must be faster under load than the best of the trials. */
constexpr double kLead = 1.02;
/** Products of the headline's size that a search for better shapes has to have time for. */
constexpr double kLeastSearched = 20;

}  // namespace

std::optional<Statistics> GemmMeasurement::sample_briefly(GemmWay& way, const GemmData& data, double share) {
  GemmTiming timing(run_, way, data);
  timing.calibrate(kGemmSampleSeconds);
  collect(seconds_ * share * kTakeOver, 1, 100000, [&] { return timing.sample(); });
  const std::vector<double> rates = collect(seconds_ * share, 3, 100000, [&] { return timing.sample(); });
  return rates.size() >= 3 ? std::optional<Statistics>(summarize(rates)) : std::nullopt;
}

/** What a framework gets that asks the library once. It need not repeat bit for bit, but it must be right. */
void GemmMeasurement::sample_first(Contender& one, const GemmData& data) {
  if (one.first_is_way || !one.first) return;
  one.first_proof = prove_product(run_, *one.first, data, spec_.id);
  one.first_reason = one.first_proof.right ? "too few samples came" : "its product is wrong: " + one.first_proof.what;
  if (!one.first_proof.right) return;
  if (const auto stats = sample_briefly(*one.first, data, shares_of(run_.options.tier).first))
    one.first_tflops = stats->median;
}

/**
 * At its power cap a device orders the ways otherwise than in the trials, which are over before it slows down: of fp64
 * products on an H200 the library's first proposal was 5 % faster then than the one that had led.
 */
bool GemmMeasurement::first_takes_over(Contender& one) {
  if (!one.first || !one.first_tflops || !one.stats || !one.first_proof.repeats) return false;
  if (*one.first_tflops < kLead * one.stats->median) return false;
  std::swap(one.way, one.first);
  one.proof = one.first_proof;
  one.first_is_way = true;
  return true;
}

/** With zeros the data lines and multipliers hardly switch: how much faster is what power costs. */
std::optional<double> GemmMeasurement::zeros_ratio(Contender& headline) {
  if (!run_.options.random_data || !headline.stats) return std::nullopt;
  const double seconds = seconds_ * shares_of(run_.options.tier).zeros;
  const GemmData zeros(run_, type_, shape_, GemmFill::zeros, run_.memory_limit());
  GemmTiming timing(run_, *headline.way, zeros);
  timing.calibrate(kGemmSampleSeconds);
  collect(seconds / 4, 1, 100000, [&] { return timing.sample(); });
  const std::vector<double> rates = collect(seconds, 3, 100000, [&] { return timing.sample(); });
  return rates.size() < 3 ? std::nullopt : std::optional(summarize(rates).median / headline.stats->median);
}

/** Other shapes of the same amount of work and less: the best is a peak, and never the headline. */
void GemmMeasurement::search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details) {
  const unsigned n = shape_.n;
  double best = headline.stats->median;
  GemmShape at = shape_;
  std::string algorithm = headline.way->algorithm();
  const double budget = seconds_ * shares_of(run_.options.tier).search, until = now_seconds() + budget;
  const bool has_time = kLeastSearched * shape_.operations() / (best * 1e12) < budget;
  for (const GemmShape& shape : {GemmShape{2 * n, n, n / 2}, GemmShape{n, n, 2 * n}, GemmShape{n, n / 2, n},
                                 GemmShape{n / 2, n / 2, 2 * n}, GemmShape{n / 2, n / 2, n / 2}}) {
    if (!has_time || stop_requested() || now_seconds() > until || gemm_set_bytes(type_, shape) > run_.memory_limit())
      break;
    for (EngineSlot& slot : slots) {
      if (!slot.engine || std::string(slot.name) != headline.engine) continue;
      const GemmData data(run_, type_, shape, GemmFill::random, run_.memory_limit());
      int tried = 0;
      std::vector<Trial> trials = try_ways(run_, slot.engine->ways(type_, shape), data, budget / 6, tried);
      if (trials.empty() || trials[0].tflops <= best) continue;
      const GemmProof proof = prove_product(run_, *trials[0].way, data, spec_.id);
      if (!proof.right || !proof.repeats) continue;
      best = trials[0].tflops;
      at = shape;
      algorithm = trials[0].way->algorithm();
    }
  }
  JsonObject peak;
  peak.number("tflops", best)
      .integer("m", at.m)
      .integer("n", at.n)
      .integer("k", at.k)
      .text("engine", headline.engine)
      .text("algorithm", algorithm);
  details.object("achieved_peak", peak);
}

}  // namespace gpumark
