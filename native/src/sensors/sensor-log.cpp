#include "sensors/sensor-log.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "measure/time.h"
#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

/** Five times a second: more often slows some drivers' work and shows no more, since NVML's own average is over a second. */
constexpr auto kPeriod = std::chrono::milliseconds(200);
/** Below half a second a mean power says more about the edges than about the load. */
constexpr double kMinLoadSeconds = 0.5;

void keep_highest(std::optional<double>& highest, const std::optional<double>& now) {
  if (now && (!highest || *now > *highest)) highest = now;
}

}  // namespace

SensorLog::SensorLog(std::unique_ptr<DeviceSensor> sensor, Recorder& recorder) : recorder_(recorder), sensor_(std::move(sensor)) {
  read_once();
  if (!sensor_->energy_problem().empty() && !sensor_->temperature_problem().empty()) return;
  // Signals are the main thread's business.
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
    const SensorReading before = reading_;
    const double before_at = read_at_;
    read_once();
    Telemetry telemetry;
    telemetry.power_watts = reading_.watts;
    // A device that has a counter only: its mean power since the last look.
    if (!telemetry.power_watts && reading_.joules && before.joules && read_at_ > before_at) {
      telemetry.power_watts = (*reading_.joules - *before.joules) / (read_at_ - before_at);
    }
    telemetry.temperature_celsius = reading_.celsius;
    telemetry.memory_temperature_celsius = reading_.memory_celsius;
    telemetry.clock_mhz = reading_.clock_mhz;
    telemetry.memory_clock_mhz = reading_.memory_clock_mhz;
    if (reading_.throttle) telemetry.throttle = throttle_names(*reading_.throttle);
    if (telemetry.power_watts || telemetry.temperature_celsius || telemetry.clock_mhz) recorder_.telemetry(telemetry);
    wake_.wait_for(hold, kPeriod, [this] { return closing_; });
  }
}

void SensorLog::read_once() {
  reading_ = sensor_->read();
  read_at_ = now_seconds();
  whole_.add(reading_, read_at_);
  if (load_open_) load_.add(reading_, read_at_);
  keep_highest(hottest_celsius_, reading_.celsius);
  keep_highest(hottest_memory_celsius_, reading_.memory_celsius);
  keep_highest(highest_watts_, reading_.watts);
  if (reading_.throttle) throttle_ = throttle_.value_or(0) | *reading_.throttle;
}

void SensorLog::begin_load(const std::string& name) {
  const std::lock_guard<std::mutex> hold(mutex_);
  // A better load begins anew: the mean is of one kind of work.
  if (name != load_name_) load_ = EnergyRecord();
  // A stretch that an error left open ran on into something else.
  load_.discard();
  load_name_ = name;
  load_open_ = true;
  read_once();
}

void SensorLog::end_load() {
  const std::lock_guard<std::mutex> hold(mutex_);
  read_once();
  load_.pause();
  load_open_ = false;
}

std::optional<double> SensorLog::clock_mhz() {
  const std::lock_guard<std::mutex> hold(mutex_);
  return reading_.clock_mhz;
}

SensorReading SensorLog::latest() {
  const std::lock_guard<std::mutex> hold(mutex_);
  return reading_;
}

bool SensorLog::answer() {
  const std::lock_guard<std::mutex> hold(mutex_);
  read_once();
  return reading_.watts || reading_.joules || reading_.celsius || reading_.clock_mhz;
}

void SensorLog::report(Recorder& recorder) {
  const std::lock_guard<std::mutex> hold(mutex_);
  load_.discard();
  load_open_ = false;
  read_once();
  const std::string no_energy = sensor_->energy_problem();
  // A counter that this user may not read is as expected as one that is not there.
  const Absence absence = no_energy.empty() || sensor_->energy_lost() ? Absence::failed : Absence::hardware;
  recorder.result(power_result(absence));
  recorder.result(energy_result(absence));
  recorder.result(temperature_result());
}

Result SensorLog::power_result(Absence absence) const {
  const std::string problem = sensor_->energy_problem();
  Result power;
  power.metric = "power_consumption_watts";
  const std::optional<double> joules = load_.joules();
  const double seconds = load_.seconds();
  if (joules && seconds >= kMinLoadSeconds) power.value = *joules / seconds;
  power.reason = problem.empty() ? "no load ran long enough to take a mean power over" : problem;
  power.absence = absence;
  power.details.text("source", load_.counter_trusted() ? sensor_->energy_source() : "power integrated over time").text("scope", sensor_->scope());
  load_name_.empty() ? power.details.null("load") : power.details.text("load", load_name_);
  power.details.number("load_seconds", seconds).number("highest_watts", highest_watts_).number("counter_ratio", load_.ratio());
  return power;
}

Result SensorLog::energy_result(Absence absence) const {
  const std::string problem = sensor_->energy_problem();
  const auto watt_hours = [](std::optional<double> joules) { return joules ? std::optional<double>(*joules / 3600) : std::nullopt; };
  Result energy;
  energy.metric = "energy_consumption_wh";
  const std::optional<double> joules = whole_.joules();
  // Of sensors that fell silent there is the energy of a part of the run, which nobody could tell from the whole.
  if (joules && *joules > 0 && !sensor_->energy_lost()) energy.value = *joules / 3600;
  energy.reason = problem.empty() ? "the energy counter did not move during the run" : problem;
  energy.absence = absence;
  energy.details.text("source", whole_.counter_trusted() ? sensor_->energy_source() + ", end minus start of the whole run" : "power integrated over the whole run");
  energy.details.text("scope", sensor_->scope()).number("seconds", whole_.seconds()).number("joules", joules);
  energy.details.number("counter_wh", watt_hours(whole_.counter_joules())).number("integrated_wh", watt_hours(whole_.integrated_joules()));
  energy.details.number("ratio", whole_.ratio());
  // Without a counter there is nothing to mistrust.
  whole_.counter_joules() ? energy.details.boolean("trusted", whole_.counter_trusted()) : energy.details.null("trusted");
  return energy;
}

Result SensorLog::temperature_result() const {
  const std::string problem = sensor_->temperature_problem();
  Result temperature;
  temperature.metric = "temperature_centigrade";
  temperature.value = hottest_celsius_;
  temperature.reason = problem.empty() ? "the temperature sensors gave no plausible reading" : problem;
  temperature.absence = problem.empty() ? Absence::failed : Absence::hardware;
  temperature.details.text("source", sensor_->temperature_source());
  throttle_ ? temperature.details.texts("throttle", throttle_names(*throttle_)) : temperature.details.null("throttle");
  if (hottest_memory_celsius_) temperature.details.number("memory_celsius", *hottest_memory_celsius_);
  sensor_->health(temperature.details);
  return temperature;
}

}  // namespace gpumark
