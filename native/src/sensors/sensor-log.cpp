#include "sensors/sensor-log.h"

#include <chrono>
#include <csignal>

#include "measure/time.h"

namespace gpumark {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(200);
/** RAPL refreshes every millisecond; below half a second a mean power says more about the edges than about the load. */
constexpr double kMinLoadSeconds = 0.5;

}  // namespace

SensorLog::SensorLog(const std::string& sysfs_root, Recorder& recorder)
    : recorder_(recorder), rapl_(sysfs_root), thermometer_(sysfs_root), started_at_(now_seconds()) {
  if (!rapl_.problem().empty() && !thermometer_.problem().empty()) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SensorLog::~SensorLog() {
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void SensorLog::watch() {
  std::unique_lock<std::mutex> hold(mutex_);
  while (!closing_) {
    const std::optional<double> joules_before = joules_;
    const double read_before = read_at_;
    read_once();
    Telemetry telemetry;
    telemetry.temperature_celsius = thermometer_.celsius();
    if (joules_ && joules_before && read_at_ > read_before) telemetry.power_watts = (*joules_ - *joules_before) / (read_at_ - read_before);
    if (telemetry.power_watts || telemetry.temperature_celsius) recorder_.telemetry(telemetry);
    wake_.wait_for(hold, kPeriod, [this] { return closing_; });
  }
}

void SensorLog::read_once() {
  joules_ = rapl_.joules();
  read_at_ = now_seconds();
  const auto celsius = thermometer_.celsius();
  if (celsius && (!hottest_celsius_ || *celsius > *hottest_celsius_)) hottest_celsius_ = celsius;
}

void SensorLog::begin_load() {
  const std::lock_guard<std::mutex> hold(mutex_);
  load_start_joules_ = rapl_.joules();
  load_started_at_ = now_seconds();
}

void SensorLog::end_load() {
  const std::lock_guard<std::mutex> hold(mutex_);
  const auto joules = rapl_.joules();
  if (!joules || !load_start_joules_) return;
  load_joules_ += *joules - *load_start_joules_;
  load_seconds_ += now_seconds() - load_started_at_;
}

void SensorLog::report(Recorder& recorder) {
  const std::lock_guard<std::mutex> hold(mutex_);
  read_once();
  const std::string no_counter = rapl_.problem();
  // A counter that this user may not read is as expected as one that is not there.
  const Absence no_energy = no_counter.empty() || rapl_.lost() ? Absence::failed : Absence::hardware;
  Result power;
  power.metric = "power_consumption_watts";
  if (load_seconds_ >= kMinLoadSeconds) power.value = load_joules_ / load_seconds_;
  power.reason = no_counter.empty() ? "no matrix multiplication ran long enough to take a mean power over" : no_counter;
  power.absence = no_energy;
  power.details.text("source", "RAPL packages, mean over the matrix multiplications").number("load_seconds", load_seconds_).integer("packages", rapl_.packages());
  recorder.result(power);

  Result energy;
  energy.metric = "energy_consumption_wh";
  if (joules_ && *joules_ > 0) energy.value = *joules_ / 3600;
  energy.reason = no_counter.empty() ? "the energy counter did not move during the run" : no_counter;
  energy.absence = no_energy;
  energy.details.text("source", "RAPL packages, end minus start of the whole run").number("seconds", now_seconds() - started_at_).number("joules", joules_);
  recorder.result(energy);

  Result temperature;
  temperature.metric = "temperature_centigrade";
  temperature.value = hottest_celsius_;
  temperature.reason = thermometer_.problem().empty() ? "the temperature sensors gave no plausible reading" : thermometer_.problem();
  temperature.absence = thermometer_.problem().empty() ? Absence::failed : Absence::hardware;
  temperature.details.text("source", "hottest processor sensor over the run");
  recorder.result(temperature);
}

}  // namespace gpumark
