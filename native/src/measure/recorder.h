// Between a benchmark and the protocol: numbers samples, tracks which metrics were answered, and keeps exit state and
// contention.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "protocol/emitter.h"
#include "registry/benchmarks.h"

namespace gpumark {

class Recorder {
 public:
  Recorder(Emitter& emitter, std::string device_id) : emitter_(emitter), device_id_(std::move(device_id)) {}

  /** For a device that is not announced yet. */
  Recorder(Emitter& emitter, Device device)
      : emitter_(emitter), device_id_(device.device_id), unsaid_(std::move(device)) {}
  /**
   * Emits the device event, once: the code that opens the device calls it as soon as the image that its driver accepted
   * is known ("" = none was needed, or none accepted), and before any other event of the device.
   */
  void announce(const std::string& image = "");

  void begin(const BenchmarkSpec& benchmark);
  /** In a run of several devices: how many of them work while the results that follow are measured. 0: not told. */
  void at_work(int devices) { at_work_ = devices; }
  void sample(const std::string& metric, double value, const Conditions* conditions = nullptr);
  /**
   * A value that is not finite or not positive is a bug in the runner; it becomes null with a reason. The first answer
   * stands: a benchmark that is run again without a kernel that failed gives those that are missing.
   */
  void result(Result result);
  void missing(const std::string& metric, const std::string& reason, Absence absence = Absence::failed);
  /**
   * A wrong result: the metric becomes null with verified false, an error event is emitted, and the run ends with exit
   * code 6.
   */
  void wrong(const std::string& metric, const std::string& what, const JsonObject& details);
  /** The device or its driver failed: emits an error, and the run ends with exit code 4. */
  void fail(const Failure& failure);
  /** Whether the metric has its result already. */
  bool has_answered(const std::string& metric) const { return answered_.count(metric) > 0; }
  /** Reports every metric of the benchmark that has no result yet as null with this reason. */
  void finish(const std::string& reason, Absence absence = Absence::failed);
  /**
   * collect() for the samples that figures are computed from: the results that follow carry the core share of this
   * series only.
   */
  std::vector<double> series(double seconds, int min_samples, int max_samples, const std::function<double()>& measure);
  /** Rates of equal work, higher is better: feeds the contention ratio (mean time over best time). */
  void note_rates(const std::vector<double>& rates);
  /**
   * Sets the source of the core share: the share of timed work since the last call in which the device was ours alone.
   */
  void ask_share(std::function<std::optional<double>()> share) { share_ = std::move(share); }
  void telemetry(const Telemetry& telemetry) { emitter_.telemetry(device_id_, telemetry); }

  bool any_wrong() const { return any_wrong_; }
  bool any_failed() const { return any_failed_; }
  bool any_value() const { return any_value_; }
  std::optional<double> contention_ratio() const { return contention_ratio_; }
  /** A value published earlier in this run, for details that refer to it. */
  std::optional<double> published(const std::string& metric) const;

 private:
  std::optional<double> take_share() { return share_ ? share_() : std::nullopt; }
  void raise_contention(double ratio);

  Emitter& emitter_;
  std::string device_id_;
  std::optional<Device> unsaid_;
  const BenchmarkSpec* benchmark_ = nullptr;
  std::map<std::string, int> sample_counts_;
  std::map<std::string, double> published_;
  std::set<std::string> answered_;
  std::optional<double> contention_ratio_;
  std::function<std::optional<double>()> share_;
  std::optional<double> series_share_;
  int at_work_ = 0;
  bool any_wrong_ = false;
  bool any_failed_ = false;
  bool any_value_ = false;
};

/**
 * Calls `measure` until the time is spent and at least min_samples are taken, or a stop is requested; returns the
 * samples.
 */
std::vector<double> collect(double seconds, int min_samples, int max_samples, const std::function<double()>& measure);

}  // namespace gpumark
