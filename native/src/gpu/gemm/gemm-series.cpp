#include "gpu/gemm/gemm-series.h"

#include "measure/drift.h"
#include "measure/stop.h"
#include "measure/time.h"
#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

constexpr double kSampleSeconds = 5e-3;
/** Shares of the benchmark's time. */
constexpr double kWarmUpShare = 0.1, kQuickShare = 0.34, kSeriesShare = 0.12;
constexpr int kMostSeries = 3;

/**
 * The bf16 product is what a card's power is stated for: the work that most of them are bought for. Without it fp16,
 * else any.
 */
Load load_of(GemmType type) {
  const int rank = type == GemmType::bf16 ? 3 : type == GemmType::fp16 ? 2 : 1;
  return {std::string(spec_of(type).name) + " product", rank};
}

}  // namespace

void GemmSeries::describe(double operations, const std::string& energy_source, JsonObject& details) const {
  add_drift(rates, details);
  details.integer("series_taken", taken).number("warm_up_seconds", warmed_seconds);
  const std::optional<double> watts = power.watts();
  const double tflops = summarize(rates).median;
  JsonObject drawn;
  drawn.number("average_watts", watts)
      .number("p95_watts", power.p95_watts())
      .integer("readings", static_cast<std::int64_t>(power.readings.size()));
  drawn.number("seconds", power.energy.mean_seconds())
      .text("source", power.energy.mean_by_counter() ? energy_source : "power integrated over time");
  power.compare(drawn);
  // W / (TFLOP/s) = J / TFLOP.
  drawn.number("joules_per_tflop", watts ? std::optional<double>(*watts / tflops) : std::nullopt);
  drawn.number("joules_per_product",
               watts ? std::optional<double>(*watts * operations / (tflops * 1e12)) : std::nullopt);
  details.object("power", drawn);
  details.number("clock_mhz_mean", clocks.empty() ? std::nullopt : std::optional<double>(summarize(clocks).mean));
  throttle ? details.texts("throttle", throttle_names(*throttle)) : details.null("throttle");
}

GemmSeries sample_series(GpuRun& run, GemmWay& way, const GemmData& data, double seconds,
                         const std::vector<MetricOf>& metrics, Recorder& recorder) {
  GemmSeries series;
  GemmTiming timing(run, way, data);
  timing.calibrate(kSampleSeconds);
  const double begin = now_seconds();
  collect(seconds * kWarmUpShare, 1, 100000, [&] { return timing.sample(); });
  series.warmed_seconds = now_seconds() - begin;
  const bool quick = run.options.tier == Tier::quick;
  run.sensors.begin_load(load_of(data.type()));
  for (bool settled = false; !settled && series.taken < (quick ? 1 : kMostSeries) && !stop_requested();
       ++series.taken) {
    series.clocks.clear();
    const std::vector<double> rates = recorder.series(seconds * (quick ? kQuickShare : kSeriesShare), 5, 100000, [&] {
      const double rate = timing.sample();
      const SensorReading now = run.sensors.latest();
      if (now.clock_mhz) series.clocks.push_back(*now.clock_mhz);
      if (now.throttle) series.throttle = series.throttle.value_or(0) | *now.throttle;
      Conditions conditions{now.clock_mhz, std::nullopt};
      if (now.throttle) conditions.throttle = throttle_names(*now.throttle);
      for (const MetricOf& metric : metrics) recorder.sample(metric.metric, rate, &conditions);
      return rate;
    });
    // A series that a signal cut short does not take the place of a whole one.
    if (!stop_requested() || series.rates.empty()) series.rates = rates;
    const std::optional<Drift> drift = drift_of(rates);
    settled = !drift || drift->settled();
  }
  series.power = run.sensors.end_load();
  return series;
}

}  // namespace gpumark
