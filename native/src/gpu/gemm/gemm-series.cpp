#include "gpu/gemm/gemm-series.h"

#include "measure/drift.h"
#include "measure/stop.h"
#include "measure/time.h"
#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

/**
 * Warm-up as shares of the benchmark's time; the series' share is in measure/drift.cpp. An H200 whose product draws
 * more than its power cap keeps its first clock for 0.9 s, drops for a moment by a sixth of its rate, and swings for
 * another second: bf16 752 TFLOP/s, 688, 583, then 668. So the quick tier uses the long warm-up.
 */
constexpr double kLongWarmUpShare = kSustainedBefore / kQuickProduct, kWarmUpShare = 0.1;
/** A shorter load does not show the device's sustained rate. */
constexpr double kLeastLoadSeconds = 2;

/**
 * Power is reported for the bf16 product, the work that most cards are bought for; without it for fp16, else for any
 * product.
 */
Load load_of(GemmType type) {
  const int rank = type == GemmType::bf16 ? 3 : type == GemmType::fp16 ? 2 : 1;
  return {std::string(spec_of(type).name) + " product", rank};
}

}  // namespace

void GemmSeries::add_details(double operations, const std::string& energy_source, JsonObject& details) const {
  add_drift(rates, details, loaded_seconds >= kLeastLoadSeconds);
  add_load(load, rates, details);
  details.integer("series_pieces", pieces)
      .number("series_limit_seconds", limit_seconds)
      .number("warm_up_seconds", warmed_seconds)
      .number("load_seconds", loaded_seconds);
  details.number("counted_products", figure->products).integer("gaps", gaps);
  if (burst)
    details.object("burst", JsonObject{}
                                .text("load", kBurst)
                                .number("tflops", burst->tflops)
                                .integer("n", burst->stretches.n)
                                .number("seconds", burst->seconds)
                                .number("rest_seconds", kRestSeconds));
  const std::optional<double> watts = power.watts();
  const double tflops = figure->tflops;
  JsonObject drawn;
  drawn.number("average_watts", watts)
      .number("p95_watts", power.p95_watts())
      .integer("readings", static_cast<std::int64_t>(power.readings.size()));
  drawn.number("seconds", power.energy.mean_seconds())
      .text("source", power.energy.mean_by_counter() ? energy_source : "power integrated over time");
  power.compare(drawn);
  // W / (TFLOP/s) = J / TFLOP, since no time passes between the products that the rate counts.
  drawn.number("joules_per_tflop", watts ? std::optional<double>(*watts / tflops) : std::nullopt);
  drawn.number("joules_per_product",
               watts ? std::optional<double>(*watts * operations / (tflops * 1e12)) : std::nullopt);
  details.object("power", drawn);
  details.number("clock_mhz_mean", clocks.empty() ? std::nullopt : std::optional<double>(summarize(clocks).mean));
  throttle ? details.texts("throttle", throttle_names(*throttle)) : details.null("throttle");
}

GemmSeries sample_series(GpuRun& run, GemmCandidate& candidate, const GemmData& data, double seconds,
                         const std::vector<MetricOf>& metrics, Recorder& recorder) {
  GemmSeries series;
  const double warm_up = seconds * (run.options.tier == Tier::quick ? kLongWarmUpShare : kWarmUpShare);
  const bool has_burst = warm_up > kBurstSeconds;
  GemmStretches stretches(run, candidate, data, has_burst ? kRestSeconds : 0);
  const double begin = now_seconds();
  if (has_burst) {
    series.burst = stretches.figure(collect(kBurstSeconds, 3, 100000, [&] { return stretches.next(); }));
    if (series.burst && !is_burst(series.burst->seconds)) series.burst.reset();
  }
  collect(warm_up - (now_seconds() - begin), 1, 100000, [&] { return stretches.next(); });
  series.warmed_seconds = now_seconds() - begin;
  run.sensors.begin_load(load_of(data.type()));
  std::vector<std::vector<double>> clocks;
  std::vector<double> begins;
  const auto take = [&](double piece) {
    clocks.emplace_back();
    begins.push_back(now_seconds());
    return recorder.series(piece, 5, 100000, [&] {
      const double rate = stretches.next();
      const SensorReading now = run.sensors.latest();
      if (now.clock_mhz) clocks.back().push_back(*now.clock_mhz);
      if (now.throttle) series.throttle = series.throttle.value_or(0) | *now.throttle;
      Conditions conditions{now.clock_mhz, std::nullopt};
      if (now.throttle) conditions.throttle = throttle_names(*now.throttle);
      for (const MetricOf& metric : metrics) recorder.sample(metric.metric, rate, &conditions);
      return rate;
    });
  };
  const SeriesPlan plan = series_plan(run.options.tier);
  SettledSeries settled = take_until_settled(plan, seconds, take, now_seconds, stop_requested);
  series.rates = std::move(settled.rates);
  series.figure = stretches.figure(series.rates);
  series.gaps = stretches.gaps();
  series.pieces = settled.pieces_taken;
  series.limit_seconds = seconds * plan.limit;
  for (int i = settled.first_counted; i < settled.end_counted; ++i) {
    const std::vector<double>& of_piece = clocks[static_cast<std::size_t>(i)];
    series.clocks.insert(series.clocks.end(), of_piece.begin(), of_piece.end());
  }
  series.power = run.sensors.end_load();
  series.loaded_seconds = now_seconds() - begin;
  if (series.figure) {
    series.load = {begins[static_cast<std::size_t>(settled.first_counted)] - begin, series.figure->seconds};
    series.figure->load = load_class(series.load, series.rates);
  }
  return series;
}

}  // namespace gpumark
