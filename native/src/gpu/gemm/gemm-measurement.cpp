#include "gpu/gemm/gemm-measurement.h"

#include <algorithm>
#include <cmath>

#include "gpu/gemm/gemm-shape.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Wrong products of one engine until it is given up: one way may have a bug, three are the device or the library. */
constexpr int kMostWrong = 3;

}  // namespace

bool GemmMeasurement::choose_shape(std::vector<EngineSlot>& slots) {
  if (gemm_set_bytes(type_, cube(kSmallestCube)) > run_.memory_limit()) return false;
  shape_ = cube(kSmallestCube);
  // A library that knows only small sizes of a type does not make the product small: the other engine is asked then.
  for (EngineSlot& slot : slots) {
    if (slot.engine && choose_cube(run_, *slot.engine, type_, seconds_, shape_) == Reach::all) break;
  }
  return true;
}

GemmMeasurement::Contender GemmMeasurement::contend(EngineSlot& slot, const GemmData& data) {
  Contender one;
  one.engine = slot.name;
  one.reason = slot.left_out;
  if (!slot.engine) return one;
  std::vector<Trial> trials =
      try_ways(run_, slot.engine->ways(type_, shape_), data, seconds_ * shares_of(run_.options.tier).trial, one.tried);
  one.refused = slot.engine->refused();
  for (const GemmEngine::Refused& kernel : one.refused) one.wrong = one.wrong || kernel.blames_device;
  one.absence = trials.empty() ? slot.engine->absence() : Absence::failed;
  one.reason = trials.empty() ? slot.engine->reason() : "";
  choose_way(one, trials, data);
  return one;
}

void GemmMeasurement::choose_way(Contender& one, std::vector<Trial>& trials, const GemmData& data) {
  const bool is_library = std::string(one.engine) == "vendor";
  int wrong = 0;
  for (std::size_t i = 0; i < trials.size() && wrong < kMostWrong && !one.way && !stop_requested(); ++i) {
    one.proof = prove_product(run_, *trials[i].way, data, spec_.id);
    if (one.proof.right && one.proof.repeats) {
      one.first_is_way = trials[i].way->is_first_proposal();
      one.way = std::move(trials[i].way);
      one.reason.clear();
      break;
    }
    one.reason = one.proof.what;
    // Libraries have algorithms that add up in the order in which blocks end: right, and of other bits each time. They
    // are passed over, however many lead the list; our kernels have none, so other bits are a fault of the device.
    const bool is_fault = !one.proof.right || !is_library;
    one.refused.push_back({trials[i].way->algorithm(), one.proof.what, is_fault});
    one.wrong = one.wrong || is_fault;
    wrong += is_fault;
  }
  // Not one that repeats: that is no choice of an algorithm any more.
  if (!one.way && !trials.empty() && !stop_requested()) one.wrong = true;
  for (Trial& trial : trials) {
    if (trial.way && trial.way->is_first_proposal()) one.first = std::move(trial.way);
  }
}

JsonObject GemmMeasurement::describe(const Contender& one) const {
  JsonObject d;
  if (one.way && one.stats) {
    d.number("tflops", one.stats->median)
        .text("path", one.way->path())
        .text("algorithm", one.way->algorithm())
        .integer("candidates", one.tried);
    d.number("cv", one.stats->cv);
    if (std::string(one.engine) == "vendor") {
      d.number("heuristic_first_tflops", one.first_tflops);
      if (!one.first_tflops) d.text("heuristic_first_reason", one.first_reason);
    }
    one.way->describe(d);
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
    r.stats = headline.stats;
    r.value = headline.stats->median;
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
    engines.object(one.engine, describe(one));
    reason += (reason.empty() ? "" : "; ") + std::string(one.engine) + ": " +
              (one.reason.empty() ? "too few samples came" : one.reason);
    wrong = wrong || one.wrong;
    // A machine need not have the vendor's library, unless that was what was asked for.
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
  std::vector<EngineSlot> slots = engines_of(run_);
  // Our kernels have their trials before the vendor's library is loaded: one that breaks the context loses no other.
  if (slots[1].engine) slots[1].engine->ways(type_, cube(kSmallestCube));
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
      if (one.way && !headline) headline = &one;
    }
    if (!headline || stop_requested()) return answer_none(metrics, contenders);
    const auto sample_headline = [&](bool is_under_load) {
      series = sample_series(run_, *headline->way, data, seconds_, metrics, is_under_load, recorder_);
      if (series.rates.size() >= 3) headline->stats = summarize(series.rates);
    };
    sample_headline(false);
    // At once, for the load that the series was measured under.
    Contender& library = contenders[0];
    if (!stop_requested()) sample_first(library, data);
    if (headline == &library && !stop_requested() && first_takes_over(library)) {
      taken_over = true;
      sample_headline(true);
    }
    if (library.first_is_way && library.stats) library.first_tflops = library.stats->median;
    for (Contender& one : contenders) {
      if (one.way && &one != headline && !stop_requested())
        one.stats = sample_briefly(*one.way, data, shares_of(run_.options.tier).other);
    }
  }
  if (!headline->stats) return answer_none(metrics, contenders);
  JsonObject engines;
  for (const Contender& one : contenders) engines.object(one.engine, describe(one));
  details.text("path", headline->way->path()).text("algorithm", headline->way->algorithm()).object("engines", engines);
  std::optional<double> gap;
  if (contenders[0].stats && contenders[1].stats) {
    const double vendor = contenders[0].stats->median, own = contenders[1].stats->median;
    gap = std::fabs(vendor - own) / std::max(vendor, own);
  }
  details.number("engines_gap", gap).number("heuristic_first_tflops", contenders[0].first_tflops);
  details.text("headline", taken_over ? "the library's first proposal, faster under load than the best of the trials"
                                      : "best of the trials");
  details.number("zeros_ratio", stop_requested() ? std::nullopt : zeros_ratio(*headline));
  search_shapes(slots, *headline, details);
  series.describe(shape_.operations(), run_.sensors.energy_source(), details);
  details.object("verification", headline->proof.details).boolean("repeats_bit_for_bit", headline->proof.repeats);
  run_.add_conditions(details);
  answer(metrics, *headline, details);
}

}  // namespace gpumark
