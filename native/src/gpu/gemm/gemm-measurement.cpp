#include "gpu/gemm/gemm-measurement.h"

#include <algorithm>
#include <cmath>

#include "gpu/gemm/gemm-shape.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/**
 * Wrong products after which an engine is given up: one candidate may have a bug, three wrong ones mean the device or
 * the library is faulty.
 */
constexpr int kMostWrong = 3;

}  // namespace

bool GemmMeasurement::choose_shape(std::vector<EngineSlot>& slots) {
  if (gemm_set_bytes(type_, cube(kSmallestCube)) > run_.memory_limit()) return false;
  shape_ = cube(kSmallestCube);
  // A library that supports only small sizes of a type does not limit the product's size: the other engine is tried
  // then.
  for (EngineSlot& slot : slots) {
    if (slot.engine && choose_cube(run_, *slot.engine, type_, seconds_, shape_) == SupportedSizes::all) break;
  }
  return true;
}

GemmMeasurement::Contender GemmMeasurement::contend(EngineSlot& slot, const GemmData& data) {
  Contender one;
  one.engine = slot.name;
  one.reason = slot.left_out;
  if (!slot.engine) return one;
  std::vector<Trial> trials = try_candidates(run_, slot.engine->candidates(type_, shape_), data,
                                             seconds_ * shares_of(run_.options.tier).trial, one.tried);
  one.refused = slot.engine->refused();
  for (const GemmEngine::Refused& kernel : one.refused) one.wrong = one.wrong || kernel.blames_device;
  one.absence = trials.empty() ? slot.engine->absence() : Absence::failed;
  one.reason = trials.empty() ? slot.engine->reason() : "";
  choose_candidate(one, trials, data);
  return one;
}

void GemmMeasurement::choose_candidate(Contender& one, std::vector<Trial>& trials, const GemmData& data) {
  const bool is_library = std::string(one.engine) == "vendor";
  int wrong = 0;
  for (std::size_t i = 0; i < trials.size() && wrong < kMostWrong && !one.chosen && !stop_requested(); ++i) {
    one.proof = prove_product(run_, *trials[i].candidate, data, spec_.id);
    if (one.proof.right && one.proof.repeats) {
      one.first_is_chosen = trials[i].candidate->is_first_proposal();
      one.chosen = std::move(trials[i].candidate);
      one.reason.clear();
      break;
    }
    one.reason = one.proof.what;
    // Some library algorithms add partial sums in the order in which blocks finish: right, but with different bits each
    // time. All of them are skipped; our kernels never do so, so different bits from them are a device fault.
    const bool is_fault = !one.proof.right || !is_library;
    one.refused.push_back({trials[i].candidate->algorithm(), one.proof.what, is_fault});
    one.wrong = one.wrong || is_fault;
    wrong += is_fault;
  }
  // None repeats: that no longer depends on the choice of algorithm.
  if (!one.chosen && !trials.empty() && !stop_requested()) one.wrong = true;
  for (Trial& trial : trials) {
    if (trial.candidate && trial.candidate->is_first_proposal()) one.first = std::move(trial.candidate);
  }
}

JsonObject GemmMeasurement::details_of(const Contender& one) const {
  JsonObject d;
  if (one.chosen && one.figure) {
    d.number("tflops", one.figure->tflops)
        .text("path", one.chosen->path())
        .text("algorithm", one.chosen->algorithm())
        .integer("candidates", one.tried);
    d.number("cv", one.figure->stretches.cv).integer("n", one.figure->stretches.n).text("load", one.figure->load);
    if (std::string(one.engine) == "vendor") {
      d.number("heuristic_first_tflops", one.first_tflops);
      if (one.first_tflops) d.text("heuristic_first_load", one.first_load);
      if (!one.first_tflops) d.text("heuristic_first_reason", one.first_reason);
    }
    one.chosen->add_details(d);
    d.object("verification", one.proof.details);
  } else {
    d.text("reason", one.reason.empty() ? "too few samples came" : one.reason);
  }
  std::vector<JsonObject> refused;
  for (const GemmEngine::Refused& kernel : one.refused) {
    refused.emplace_back();
    refused.back().text("kernel", kernel.kernel).text("reason", kernel.reason);
  }
  if (!refused.empty()) d.objects("refused", refused);
  return d;
}

void GemmMeasurement::answer(const std::vector<MetricOf>& metrics, const Contender& headline,
                             const JsonObject& details) {
  for (const MetricOf& metric : metrics) {
    Result r;
    r.metric = metric.metric;
    r.engine = headline.engine;
    r.stats = headline.figure->stretches;
    r.value = headline.figure->tflops;
    r.verified = true;
    r.details = details;
    if (*metric.mode)
      r.details.text("mode", metric.mode).text("arithmetic", type_ == GemmType::tf32 ? "tf32" : "ieee fp32");
    recorder_.result(r);
  }
}

void GemmMeasurement::answer_none(const std::vector<MetricOf>& metrics, const std::vector<Contender>& contenders) {
  JsonObject engines;
  std::string reason;
  bool wrong = false, failed = false;
  for (const Contender& one : contenders) {
    engines.object(one.engine, details_of(one));
    reason += (reason.empty() ? "" : "; ") + std::string(one.engine) + ": " +
              (one.reason.empty() ? "too few samples came" : one.reason);
    wrong = wrong || one.wrong;
    // A missing vendor library is not a failure, unless it was requested.
    const bool is_wanted = std::string(one.engine) == "own" || run_.options.engine == EngineChoice::vendor;
    failed = failed || (is_wanted && one.absence == Absence::failed);
  }
  JsonObject details;
  details.object("engines", engines).integer("m", shape_.m).integer("n", shape_.n).integer("k", shape_.k);
  for (const MetricOf& metric : metrics) {
    if (wrong) {
      recorder_.wrong(metric.metric, reason, details);
    } else {
      recorder_.missing(metric.metric, reason, failed ? Absence::failed : Absence::hardware);
    }
  }
}

void GemmMeasurement::measure(const std::vector<MetricOf>& metrics) {
  // The benchmark is run again if a kernel of ours broke the context after this product was measured.
  if (std::all_of(metrics.begin(), metrics.end(),
                  [&](const MetricOf& one) { return recorder_.has_answered(one.metric); }))
    return;
  std::vector<EngineSlot> slots = engines_of(run_);
  // Our kernels are tried before the vendor's library is loaded: if one breaks the context, no other result is lost.
  if (slots[1].engine) slots[1].engine->candidates(type_, cube(kSmallestCube));
  if (!choose_shape(slots)) {
    for (const MetricOf& metric : metrics)
      recorder_.missing(metric.metric, "too little free device memory for the matrices");
    return;
  }
  std::vector<Contender> contenders;
  JsonObject details;
  details.integer("m", shape_.m).integer("n", shape_.n).integer("k", shape_.k).text("layout", "tn");
  details.text("data", run_.data_name()).integer("seed", static_cast<std::int64_t>(run_.options.seed));
  Contender* headline = nullptr;
  GemmSeries series;
  bool taken_over = false;
  {
    const GemmData data(run_, type_, shape_, GemmFill::random, run_.memory_limit());
    details.integer("rotating_sets", static_cast<std::int64_t>(data.sets()));
    for (EngineSlot& slot : slots) contenders.push_back(contend(slot, data));
    for (Contender& one : contenders) {
      if (one.chosen && !headline) headline = &one;
    }
    if (!headline || stop_requested()) return answer_none(metrics, contenders);
    const auto sample_headline = [&] {
      series = sample_series(run_, *headline->chosen, data, seconds_, metrics, recorder_);
      if (series.figure) headline->figure = series.figure;
    };
    sample_headline();
    // Immediately, while the device is still under the series' load.
    Contender& library = contenders[0];
    if (!stop_requested()) sample_first(library, data);
    if (headline == &library && !stop_requested() && first_takes_over(library)) {
      taken_over = true;
      sample_headline();
    }
    if (library.first_is_chosen && library.figure) {
      library.first_tflops = library.figure->tflops;
      library.first_load = library.figure->load;
    }
    for (Contender& one : contenders) {
      if (one.chosen && &one != headline && !stop_requested())
        one.figure = sample_briefly(*one.chosen, data, shares_of(run_.options.tier).other);
    }
  }
  if (!headline->figure) return answer_none(metrics, contenders);
  JsonObject engines;
  for (const Contender& one : contenders) engines.object(one.engine, details_of(one));
  details.text("path", headline->chosen->path())
      .text("algorithm", headline->chosen->algorithm())
      .object("engines", engines);
  std::optional<double> gap;
  if (contenders[0].figure && contenders[1].figure) {
    const double vendor = contenders[0].figure->tflops, own = contenders[1].figure->tflops;
    gap = std::fabs(vendor - own) / std::max(vendor, own);
  }
  details.number("engines_gap", gap).number("heuristic_first_tflops", contenders[0].first_tflops);
  details.text("headline", taken_over ? "the library's first proposal, faster under load than the best of the trials"
                                      : "best of the trials");
  add_zeros(*headline, details);
  search_shapes(slots, *headline, details);
  series.add_details(shape_.operations(), run_.sensors.energy_source(), details);
  details.object("verification", headline->proof.details).boolean("repeats_bit_for_bit", headline->proof.repeats);
  run_.add_conditions(details);
  answer(metrics, *headline, details);
}

}  // namespace gpumark
