// Figures beside the headline of a product: the library's first proposal, zeros, and faster shapes.
#include <utility>

#include "gpu/gemm/gemm-measurement.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Warm-up of a brief measurement, as a share of the time of its samples. */
constexpr double kTakeOver = 0.5;
/** Factor by which the first proposal must be faster under load than the best of the trials. */
constexpr double kLead = 1.02;
/** The search for better shapes needs time for at least this many products of the headline's size. */
constexpr double kLeastSearched = 20;

}  // namespace

std::optional<GemmFigure> GemmMeasurement::sample_briefly(GemmCandidate& candidate, const GemmData& data,
                                                          double share) {
  GemmStretches stretches(run_, candidate, data);
  const double begin = now_seconds();
  collect(seconds_ * share * kTakeOver, 1, 100000, [&] { return stretches.next(); });
  const double before = now_seconds() - begin;
  const std::vector<double> rates = collect(seconds_ * share, 3, 100000, [&] { return stretches.next(); });
  std::optional<GemmFigure> figure = stretches.figure(rates);
  if (figure) figure->load = load_class({before, figure->seconds}, rates);
  return figure;
}

/**
 * The rate of a framework that uses the library's first proposal. It need not repeat bit for bit, but it must be right.
 */
void GemmMeasurement::sample_first(Contender& one, const GemmData& data) {
  if (one.first_is_chosen || !one.first) return;
  one.first_proof = prove_product(run_, *one.first, data, spec_.id);
  one.first_reason = one.first_proof.right ? "too few samples came" : "its product is wrong: " + one.first_proof.what;
  if (!one.first_proof.right) return;
  if (const auto figure = sample_briefly(*one.first, data, shares_of(run_.options.tier).first)) {
    one.first_tflops = figure->tflops;
    one.first_load = figure->load;
  }
}

/**
 * At its power cap a device ranks the candidates differently from the trials, which end before it slows down: for fp64
 * products on an H200 the library's first proposal was then 5 % faster than the best of the trials.
 */
bool GemmMeasurement::first_takes_over(Contender& one) {
  if (!one.first || !one.first_tflops || !one.figure || !one.first_proof.repeats) return false;
  if (*one.first_tflops < kLead * one.figure->tflops) return false;
  std::swap(one.chosen, one.first);
  one.proof = one.first_proof;
  one.first_is_chosen = true;
  return true;
}

/** With zeros, data lines and multipliers hardly switch: the ratio shows how much power limits the rate. */
void GemmMeasurement::add_zeros(Contender& headline, JsonObject& details) {
  if (!run_.options.random_data || !headline.figure || stop_requested()) return;
  const GemmData zeros(run_, type_, shape_, GemmFill::zeros, run_.memory_limit());
  const auto figure = sample_briefly(*headline.chosen, zeros, shares_of(run_.options.tier).zeros);
  if (!figure) return;
  details.number("zeros_ratio", figure->tflops / headline.figure->tflops);
  details.object("zeros", JsonObject{}
                              .number("tflops", figure->tflops)
                              .integer("n", figure->stretches.n)
                              .text("load", figure->load)
                              .text("over", headline.figure->load));
}

/** Tries other shapes of the same amount of work and less: the best is a peak, never the headline. */
void GemmMeasurement::search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details) {
  const unsigned n = shape_.n;
  GemmFigure best = *headline.figure;
  GemmShape at = shape_;
  std::string algorithm = headline.chosen->algorithm();
  const double budget = seconds_ * shares_of(run_.options.tier).search, until = now_seconds() + budget;
  const bool has_time = kLeastSearched * shape_.operations() / (best.tflops * 1e12) < budget;
  for (const GemmShape& shape : {GemmShape{2 * n, n, n / 2}, GemmShape{n, n, 2 * n}, GemmShape{n, n / 2, n},
                                 GemmShape{n / 2, n / 2, 2 * n}, GemmShape{n / 2, n / 2, n / 2}}) {
    if (!has_time || stop_requested() || now_seconds() > until || gemm_set_bytes(type_, shape) > run_.memory_limit())
      break;
    for (EngineSlot& slot : slots) {
      if (!slot.engine || std::string(slot.name) != headline.engine) continue;
      const GemmData data(run_, type_, shape, GemmFill::random, run_.memory_limit());
      int tried = 0;
      std::vector<Trial> trials = try_candidates(run_, slot.engine->candidates(type_, shape), data, budget / 6, tried);
      if (trials.empty() || trials[0].tflops <= best.tflops) continue;
      const GemmProof proof = prove_product(run_, *trials[0].candidate, data, spec_.id);
      if (!proof.right || !proof.repeats) continue;
      const auto figure = sample_briefly(*trials[0].candidate, data, budget / 6 / seconds_);
      if (!figure || figure->tflops <= best.tflops) continue;
      best = *figure;
      at = shape;
      algorithm = trials[0].candidate->algorithm();
    }
  }
  JsonObject peak;
  peak.number("tflops", best.tflops)
      .integer("samples", best.stretches.n)
      .text("load", best.load)
      .integer("m", at.m)
      .integer("n", at.n)
      .integer("k", at.k)
      .text("engine", headline.engine)
      .text("algorithm", algorithm);
  details.object("achieved_peak", peak);
}

}  // namespace gpumark
