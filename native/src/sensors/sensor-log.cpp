#include "sensors/sensor-log.h"

#include <chrono>
#include <csignal>

#include "measure/time.h"
#include "sensors/throttle-reasons.h"

namespace gpumark {
namespace {

/**
 * Five times a second: a higher rate slows down some drivers and shows no more, since NVML's own average is over a
 * second.
 */
constexpr auto kPeriod = std::chrono::milliseconds(200);

SensorReading plausible(SensorReading now) {
  now.watts = within(now.watts, 0, kMaxWatts);
  now.celsius = within(now.celsius, kMinCelsius, kMaxCelsius);
  now.memory_celsius = within(now.memory_celsius, kMinCelsius, kMaxCelsius);
  now.clock_mhz = within(now.clock_mhz, 0, kMaxClockMhz);
  now.memory_clock_mhz = within(now.memory_clock_mhz, 0, kMaxClockMhz);
  return now;
}

std::optional<double> watt_hours(std::optional<double> joules) {
  return joules ? std::optional<double>(*joules / 3600) : std::nullopt;
}

Telemetry telemetry_of(const SensorReading& now) {
  Telemetry telemetry;
  telemetry.power_watts = now.watts;
  telemetry.temperature_celsius = now.celsius;
  telemetry.memory_temperature_celsius = now.memory_celsius;
  telemetry.clock_mhz = now.clock_mhz;
  telemetry.memory_clock_mhz = now.memory_clock_mhz;
  if (now.throttle) telemetry.throttle = throttle_names(*now.throttle);
  return telemetry;
}

}  // namespace

SensorLog::SensorLog(std::unique_ptr<DeviceSensor> sensor, Recorder& recorder)
    : recorder_(recorder), sensor_(std::move(sensor)) {
  read_once();
  if (!sensor_->energy_problem().empty() && !sensor_->temperature_problem().empty()) return;
  // Signals are handled on the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SensorLog::~SensorLog() {
  {
    const std::lock_guard<std::mutex> hold(state_);
    closing_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void SensorLog::watch() {
  SensorReading before;
  double before_at = 0;
  for (;;) {
    SensorReading now;
    double at = 0;
    {
      const std::lock_guard<std::mutex> asking(reading_);
      now = read_once();
      at = last_at_;
    }
    Telemetry telemetry = telemetry_of(now);
    // The device has only an energy counter: derive the mean power since the last reading.
    if (!now.watts && now.joules && before.joules && at > before_at)
      telemetry.power_watts = within((*now.joules - *before.joules) / (at - before_at), 0, kMaxWatts);
    if (telemetry.power_watts || telemetry.temperature_celsius || telemetry.clock_mhz) recorder_.telemetry(telemetry);
    before = now;
    before_at = at;
    std::unique_lock<std::mutex> hold(state_);
    if (wake_.wait_for(hold, kPeriod, [this] { return closing_; })) return;
  }
}

SensorReading SensorLog::read_once() {
  const SensorReading now = plausible(sensor_->read());
  const double at = now_seconds();
  const std::lock_guard<std::mutex> hold(state_);
  last_ = now;
  last_at_ = at;
  whole_.add(now, at);
  if (open_) open_->add(now, at);
  hottest_.add(now.celsius);
  hottest_memory_.add(now.memory_celsius);
  highest_watts_.add(now.watts);
  if (now.throttle) throttle_ = throttle_.value_or(0) | *now.throttle;
  return now;
}

void SensorLog::begin_load(const Load& load) {
  const std::lock_guard<std::mutex> asking(reading_);
  {
    const std::lock_guard<std::mutex> hold(state_);
    // An interval left open by an error includes other work.
    if (open_) open_->energy.discard();
    open_ = &loads_[load.name];
    open_->load = load;
  }
  read_once();
}

LoadPower SensorLog::end_load() {
  const std::lock_guard<std::mutex> asking(reading_);
  read_once();
  const std::lock_guard<std::mutex> hold(state_);
  if (!open_) return {};
  open_->energy.pause();
  const LoadPower power = *open_;
  open_ = nullptr;
  return power;
}

SensorReading SensorLog::latest() {
  const std::lock_guard<std::mutex> hold(state_);
  return last_;
}

bool SensorLog::answer() {
  const std::lock_guard<std::mutex> asking(reading_);
  const SensorReading now = read_once();
  return now.watts || now.joules || now.celsius || now.clock_mhz;
}

void SensorLog::report(Recorder& recorder) {
  const std::lock_guard<std::mutex> asking(reading_);
  if (open_) open_->energy.discard();
  open_ = nullptr;
  read_once();
  const std::string no_energy = sensor_->energy_problem();
  // A counter that this user may not read is treated as one that does not exist.
  const Absence absence = no_energy.empty() || sensor_->energy_lost() ? Absence::failed : Absence::hardware;
  recorder.result(power_result(absence));
  recorder.result(energy_result(absence));
  recorder.result(temperature_result());
}

/** The load of the highest rank that ran long enough; among equals the one with the highest power. */
const LoadPower* SensorLog::figure_load() const {
  const LoadPower* best = nullptr;
  for (const auto& [name, one] : loads_) {
    const auto key = [](const LoadPower& load) { return std::make_pair(load.load.rank, load.watts().value_or(0)); };
    if (one.watts() && (!best || key(one) > key(*best))) best = &one;
  }
  return best;
}

Result SensorLog::power_result(Absence absence) const {
  const std::string problem = sensor_->energy_problem();
  const LoadPower* const load = figure_load();
  Result power;
  power.metric = "power_consumption_watts";
  if (load) power.value = load->watts();
  power.reason = problem.empty() ? "no load ran long enough to take a mean power over" : problem;
  power.absence = absence;
  const bool counted = load && load->energy.mean_by_counter();
  power.details.text("source", counted ? sensor_->energy_source() : "power integrated over time")
      .text("scope", sensor_->scope());
  load ? power.details.text("load", load->load.name).integer("load_rank", load->load.rank)
       : power.details.null("load").null("load_rank");
  power.details.number("load_seconds", load ? load->energy.mean_seconds() : 0)
      .number("p95_watts", load ? load->p95_watts() : std::nullopt)
      .integer("readings", load ? static_cast<std::int64_t>(load->readings.size()) : 0);
  power.details.number("highest_watts", highest_watts_.value());
  if (load) load->compare(power.details);
  return power;
}

Result SensorLog::energy_result(Absence absence) const {
  const std::string problem = sensor_->energy_problem();
  Result energy;
  energy.metric = "energy_consumption_wh";
  const std::optional<double> joules = whole_.joules();
  // If the sensor was lost during the run, its energy covers only a part and must not be reported as the whole.
  if (joules && *joules > 0 && !sensor_->energy_lost()) energy.value = *joules / 3600;
  energy.reason = problem.empty() ? "the energy counter did not move during the run" : problem;
  energy.absence = absence;
  const std::optional<double> counted = whole_.counter_joules();
  const bool by_counter = counted && *counted > 0;
  energy.details.text("source", by_counter ? sensor_->energy_source() + ", end minus start of the whole run"
                                           : "power integrated over the whole run");
  energy.details.text("scope", sensor_->scope()).number("seconds", whole_.seconds()).number("joules", joules);
  energy.details.number("counter_wh", watt_hours(counted))
      .number("integrated_wh", watt_hours(whole_.integrated_joules()));
  energy.details.number("ratio", whole_.ratio());
  // Without both a counter and power readings there is nothing to compare.
  const bool judged = counted && whole_.integrated_joules();
  judged ? energy.details.boolean("counter_agrees", whole_.counter_agrees()) : energy.details.null("counter_agrees");
  return energy;
}

Result SensorLog::temperature_result() const {
  const std::string problem = sensor_->temperature_problem();
  Result temperature;
  temperature.metric = "temperature_centigrade";
  temperature.value = hottest_.value();
  temperature.reason = problem.empty() ? "the temperature sensors gave no plausible reading" : problem;
  temperature.absence = problem.empty() ? Absence::failed : Absence::hardware;
  temperature.details.text("source", sensor_->temperature_source());
  throttle_ ? temperature.details.texts("throttle", throttle_names(*throttle_)) : temperature.details.null("throttle");
  if (const auto memory = hottest_memory_.value()) temperature.details.number("memory_celsius", *memory);
  sensor_->health(temperature.details);
  return temperature;
}

}  // namespace gpumark
