#include "gpu/gemm/gemm-measurement.h"

#include <algorithm>
#include <cmath>

#include "gpu/gemm/gemm-shape.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

constexpr double kSampleSeconds = 5e-3;
/** Wrong products of one engine until it is given up: one way may have a bug, three are the device or the library. */
constexpr int kMostWrong = 3;
/** Products of the headline's size that a search for better shapes has to have time for. */
constexpr double kLeastSearched = 20;
/** Shares of the time beside the series' own (gemm-series.cpp); preparation and proof are not in it. */
constexpr double kTrialShare = 0.12, kOtherShare = 0.1, kFirstShare = 0.04, kZerosShare = 0.08, kSearchShare = 0.1;

}  // namespace

bool GemmMeasurement::choose_shape(std::vector<EngineSlot>& slots) {
  if (gemm_set_bytes(type_, cube(kSmallestCube)) > run_.memory_limit()) return false;
  shape_ = cube(kSmallestCube);
  for (EngineSlot& slot : slots) {
    if (slot.engine && choose_cube(run_, *slot.engine, type_, seconds_, shape_)) return true;
  }
  return true;
}

GemmMeasurement::Contender GemmMeasurement::contend(EngineSlot& slot, const GemmData& data) {
  Contender one;
  one.engine = slot.name;
  one.reason = slot.left_out;
  if (!slot.engine) return one;
  std::vector<Trial> trials = try_ways(run_, slot.engine->ways(type_, shape_), data, seconds_ * kTrialShare, one.tried);
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

std::optional<Statistics> GemmMeasurement::sample_briefly(GemmWay& way, const GemmData& data, double share) {
  GemmTiming timing(run_, way, data);
  timing.calibrate(kSampleSeconds);
  const std::vector<double> rates = collect(seconds_ * share, 3, 100000, [&] { return timing.sample(); });
  return rates.size() >= 3 ? std::optional<Statistics>(summarize(rates)) : std::nullopt;
}

/** What a framework gets that asks the library once. It need not repeat bit for bit, but it must be right. */
void GemmMeasurement::sample_first(Contender& one, const GemmData& data) {
  if (one.first_is_way && one.stats) one.first_tflops = one.stats->median;
  if (one.first_is_way || !one.first) return;
  const GemmProof proof = prove_product(run_, *one.first, data, spec_.id);
  one.first_reason = proof.right ? "too few samples came" : "its product is wrong: " + proof.what;
  if (!proof.right) return;
  if (const auto stats = sample_briefly(*one.first, data, kFirstShare)) one.first_tflops = stats->median;
}

/** With zeros the data lines and multipliers hardly switch: how much faster is what power costs. */
std::optional<double> GemmMeasurement::zeros_ratio(Contender& headline) {
  if (!run_.options.random_data || !headline.stats) return std::nullopt;
  const GemmData zeros(run_, type_, shape_, GemmFill::zeros, run_.memory_limit());
  GemmTiming timing(run_, *headline.way, zeros);
  timing.calibrate(kSampleSeconds);
  collect(seconds_ * kZerosShare / 4, 1, 100000, [&] { return timing.sample(); });
  const std::vector<double> rates = collect(seconds_ * kZerosShare, 3, 100000, [&] { return timing.sample(); });
  return rates.size() < 3 ? std::nullopt : std::optional(summarize(rates).median / headline.stats->median);
}

/** Other shapes of the same amount of work and less: the best is a peak, and never the headline. */
void GemmMeasurement::search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details) {
  const unsigned n = shape_.n;
  double best = headline.stats->median;
  GemmShape at = shape_;
  std::string algorithm = headline.way->algorithm();
  const double budget = seconds_ * kSearchShare, until = now_seconds() + budget;
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
  {
    const GemmData data(run_, type_, shape_, GemmFill::random, run_.memory_limit());
    details.integer("rotating_sets", static_cast<std::int64_t>(data.sets()));
    for (EngineSlot& slot : slots) contenders.push_back(contend(slot, data));
    for (Contender& one : contenders) {
      if (one.way && !headline) headline = &one;
    }
    if (!headline || stop_requested()) return answer_none(metrics, contenders);
    series = sample_series(run_, *headline->way, data, seconds_, metrics, recorder_);
    if (series.rates.size() >= 3) headline->stats = summarize(series.rates);
    for (Contender& one : contenders) {
      if (one.way && &one != headline && !stop_requested()) one.stats = sample_briefly(*one.way, data, kOtherShare);
    }
    if (!stop_requested()) sample_first(contenders[0], data);
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
  details.text("headline", "best of the trials");
  details.number("zeros_ratio", stop_requested() ? std::nullopt : zeros_ratio(*headline));
  search_shapes(slots, *headline, details);
  series.describe(shape_.operations(), run_.sensors.energy_source(), details);
  details.object("verification", headline->proof.details).boolean("repeats_bit_for_bit", headline->proof.repeats);
  run_.add_conditions(details);
  answer(metrics, *headline, details);
}

}  // namespace gpumark
