#include "gpu/gemm/gemm-measurement.h"

#include <algorithm>
#include <cmath>

#include "measure/stop.h"
#include "measure/time.h"
#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

constexpr const char* kGemmLoad = "matrix multiplications";
constexpr unsigned kLargest = 8192;
constexpr unsigned kSmallest = 256;
/** One product takes no longer than this, nor than this part of all the time; a device that needs longer for 8192 gets a smaller one. */
constexpr double kMostSeconds = 0.2;
constexpr double kMostShare = 0.05;
constexpr double kSampleSeconds = 5e-3;
constexpr std::size_t kProofs = 3;
/** Products of the headline's size that a search for better shapes has to have time for. */
constexpr double kLeastSearched = 20;
/** Shares of the time; preparation and proof are not in it. */
constexpr double kTrialShare = 0.12, kWarmUpShare = 0.1, kHeadlineShare = 0.36, kOtherShare = 0.12, kZerosShare = 0.08, kSearchShare = 0.1;

GemmShape cube(unsigned n) { return {n, n, n}; }

}  // namespace

/** 8192 where memory and time allow, else the largest power of two that does. False: not even the smallest fits. */
bool GemmMeasurement::choose_shape(std::vector<EngineSlot>& slots) {
  const std::size_t limit = run_.memory_limit();
  if (gemm_set_bytes(type_, cube(kSmallest)) > limit) return false;
  shape_ = cube(kSmallest);
  for (EngineSlot& slot : slots) {
    if (!slot.engine) continue;
    for (unsigned n = kSmallest; n <= kLargest && gemm_set_bytes(type_, cube(n)) <= limit && !stop_requested(); n *= 2) {
      GemmWays ways = slot.engine->ways(type_, cube(n));
      if (ways.empty()) break;
      const GemmData data(run_, type_, cube(n), GemmFill::random, 0);
      GemmTiming timing(run_, *ways.front(), data);
      timing.warm();
      shape_ = cube(n);
      // Twice the size is eight times the work.
      if (8 * timing.seconds(1) > std::min(kMostSeconds, kMostShare * seconds_)) return true;
    }
    if (shape_.n > kSmallest) return true;
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
  for (std::size_t i = 0; i < std::min(kProofs, trials.size()); ++i) {
    one.proof = prove_product(run_, *trials[i].way, data, spec_.id);
    if (one.proof.right && one.proof.repeats) {
      one.way = std::move(trials[i].way);
      return one;
    }
    one.wrong = true;
    one.reason = one.proof.what;
    one.refused.push_back({trials[i].way->algorithm(), one.proof.what, true});
  }
  return one;
}

void GemmMeasurement::sample_headline(Contender& headline, const GemmData& data, const std::vector<MetricOf>& metrics) {
  GemmTiming timing(run_, *headline.way, data);
  timing.calibrate(kSampleSeconds);
  const double begin = now_seconds();
  collect(seconds_ * kWarmUpShare, 1, 100000, [&] { return timing.sample(); });
  warmed_seconds_ = now_seconds() - begin;
  const std::vector<double> rates = recorder_.series(seconds_ * kHeadlineShare, 5, 100000, [&] {
    const double rate = timing.sample();
    const SensorReading now = run_.sensors.latest();
    if (now.clock_mhz) clocks_.push_back(*now.clock_mhz);
    if (now.throttle) throttle_ = throttle_.value_or(0) | *now.throttle;
    Conditions conditions{now.clock_mhz, std::nullopt};
    if (now.throttle) conditions.throttle = throttle_names(*now.throttle);
    for (const MetricOf& metric : metrics) recorder_.sample(metric.metric, rate, &conditions);
    return rate;
  });
  if (rates.size() >= 3) headline.stats = summarize(rates);
}

void GemmMeasurement::sample_other(Contender& other, const GemmData& data) {
  GemmTiming timing(run_, *other.way, data);
  timing.calibrate(kSampleSeconds);
  const std::vector<double> rates = collect(seconds_ * kOtherShare, 3, 100000, [&] { return timing.sample(); });
  if (rates.size() >= 3) other.stats = summarize(rates);
}

/** With zeros the data lines and multipliers hardly switch: how much faster is what power costs. */
std::optional<double> GemmMeasurement::zeros_ratio(Contender& headline) {
  if (!run_.options.random_data || !headline.stats) return std::nullopt;
  const GemmData zeros(run_, type_, shape_, GemmFill::zeros, run_.memory_limit());
  GemmTiming timing(run_, *headline.way, zeros);
  timing.calibrate(kSampleSeconds);
  collect(seconds_ * kZerosShare / 4, 1, 100000, [&] { return timing.sample(); });
  const std::vector<double> rates = collect(seconds_ * kZerosShare, 3, 100000, [&] { return timing.sample(); });
  if (rates.size() < 3) return std::nullopt;
  return summarize(rates).median / headline.stats->median;
}

/** Other shapes of the same amount of work and less: the best is a peak, and never the headline. */
void GemmMeasurement::search_shapes(std::vector<EngineSlot>& slots, const Contender& headline, JsonObject& details) {
  const unsigned n = shape_.n;
  double best = headline.stats->median;
  GemmShape at = shape_;
  std::string algorithm = headline.way->algorithm();
  const double budget = seconds_ * kSearchShare, until = now_seconds() + budget;
  const bool has_time = kLeastSearched * shape_.operations() / (best * 1e12) < budget;
  for (const GemmShape& shape : {GemmShape{2 * n, n, n / 2}, GemmShape{n, n, 2 * n}, GemmShape{n, n / 2, n}, GemmShape{n / 2, n / 2, 2 * n}, GemmShape{n / 2, n / 2, n / 2}}) {
    if (!has_time || stop_requested() || now_seconds() > until || gemm_set_bytes(type_, shape) > run_.memory_limit()) break;
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
  peak.number("tflops", best).integer("m", at.m).integer("n", at.n).integer("k", at.k).text("engine", headline.engine).text("algorithm", algorithm);
  details.object("achieved_peak", peak);
}

JsonObject GemmMeasurement::describe(const Contender& one) const {
  JsonObject d;
  if (one.way && one.stats) {
    d.number("tflops", one.stats->median).text("path", one.way->path()).text("algorithm", one.way->algorithm()).integer("candidates", one.tried);
    d.number("cv", one.stats->cv);
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

void GemmMeasurement::answer(const std::vector<MetricOf>& metrics, const Contender& headline, const JsonObject& details) {
  for (const MetricOf& metric : metrics) {
    Result r;
    r.metric = metric.metric;
    r.engine = headline.engine;
    r.stats = headline.stats;
    r.value = headline.stats->median;
    r.verified = true;
    r.details = details;
    if (*metric.mode) r.details.text("mode", metric.mode);
    recorder_.result(r);
  }
}

void GemmMeasurement::answer_none(const std::vector<MetricOf>& metrics, const std::vector<Contender>& contenders) {
  JsonObject engines;
  std::string reason;
  bool wrong = false, failed = false;
  for (const Contender& one : contenders) {
    engines.object(one.engine, describe(one));
    reason += (reason.empty() ? "" : "; ") + std::string(one.engine) + ": " + (one.reason.empty() ? "too few samples came" : one.reason);
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
  // Our kernels have their trials before the vendor's library is loaded: should one break the context, nobody else loses it.
  if (slots[1].engine) slots[1].engine->ways(type_, cube(kSmallest));
  if (!choose_shape(slots)) {
    for (const MetricOf& metric : metrics) recorder_.missing(metric.metric, "too little free device memory for the matrices");
    return;
  }
  std::vector<Contender> contenders;
  JsonObject details;
  details.integer("m", shape_.m).integer("n", shape_.n).integer("k", shape_.k).text("layout", "tn");
  details.text("data", run_.data_name()).integer("seed", static_cast<std::int64_t>(run_.options.seed));
  Contender* headline = nullptr;
  {
    const GemmData data(run_, type_, shape_, GemmFill::random, run_.memory_limit());
    details.integer("rotating_sets", static_cast<std::int64_t>(data.sets()));
    for (EngineSlot& slot : slots) contenders.push_back(contend(slot, data));
    for (Contender& one : contenders) {
      if (one.way && !headline) headline = &one;
    }
    if (!headline || stop_requested()) return answer_none(metrics, contenders);
    run_.sensors.begin_load(kGemmLoad);
    sample_headline(*headline, data, metrics);
    for (Contender& one : contenders) {
      if (one.way && &one != headline && !stop_requested()) sample_other(one, data);
    }
    run_.sensors.end_load();
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
  details.number("engines_gap", gap).number("warm_up_seconds", warmed_seconds_);
  details.number("zeros_ratio", stop_requested() ? std::nullopt : zeros_ratio(*headline));
  search_shapes(slots, *headline, details);
  details.number("clock_mhz_mean", clocks_.empty() ? std::nullopt : std::optional<double>(summarize(clocks_).mean));
  throttle_ ? details.texts("throttle", throttle_names(*throttle_)) : details.null("throttle");
  details.object("verification", headline->proof.details).boolean("repeats_bit_for_bit", headline->proof.repeats);
  run_.add_conditions(details);
  answer(metrics, *headline, details);
}

}  // namespace gpumark
