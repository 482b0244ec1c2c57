// The log of a device's sensors over a sensor that answers on command.
#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>
#include <vector>

#include "sensors/sensor-log.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** What a test and its sensor, which the log owns and its thread asks, share. */
struct Script {
  std::atomic<double> joules{0}, watts{100}, celsius{50}, clock_mhz{1500};
  std::atomic<int> readings{0};
  /** The reading of this number waits until somebody has looked at the log, ten seconds at most. */
  std::atomic<int> held_reading{-1};
  std::atomic<bool> inside{false}, looked{false}, waited_in_vain{false};
};

class ScriptedSensor : public DeviceSensor {
 public:
  explicit ScriptedSensor(Script& script) : script_(script) {}
  SensorReading read() override {
    if (script_.readings++ == script_.held_reading) {
      script_.inside = true;
      for (int i = 0; i < 10000 && !script_.looked; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      script_.waited_in_vain = !script_.looked;
    }
    SensorReading reading;
    reading.joules = script_.joules.load();
    reading.watts = script_.watts.load();
    reading.celsius = script_.celsius.load();
    reading.clock_mhz = script_.clock_mhz.load();
    return reading;
  }
  std::string energy_problem() const override { return ""; }
  std::string temperature_problem() const override { return "none"; }
  bool energy_lost() const override { return false; }
  std::string energy_source() const override { return "script"; }
  std::string scope() const override { return "gpu"; }
  std::string temperature_source() const override { return "none"; }

 private:
  Script& script_;
};

/** A driver that takes its time to answer must not keep the takers of samples waiting: they ask for the last reading.
 */
void waits_for_no_sensor(Recorder& recorder) {
  Script script;
  // The first is the log's own, before its thread begins.
  script.held_reading = 1;
  SensorLog log(std::make_unique<ScriptedSensor>(script), recorder);
  for (int i = 0; i < 10000 && !script.inside; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  check(script.inside, "the log's thread asks the sensor");
  check(log.latest().clock_mhz == 1500.0, "the last reading is there while the sensor is being asked");
  script.looked = true;
  log.answer();
  check(!script.waited_in_vain, "and waits for no driver's call");
}

/** 10 J in the first stretch of the load and 5 J in the second; 990 J between them are of something else. */
void leaves_gaps_out(Recorder& recorder) {
  Script script;
  SensorLog log(std::make_unique<ScriptedSensor>(script), recorder);
  const Load load = {"product", 1};
  log.begin_load(load);
  script.joules = 10;
  check(log.end_load().energy.counter_joules() == 10.0, "a load has the energy from its begin to its end");
  script.joules = 1000;
  log.begin_load(load);
  script.joules = 1005;
  check(log.end_load().energy.counter_joules() == 15.0, "and what is drawn between two stretches of it is not its own");
}

/** What drivers give for a failed reading: 2^32 - 1 milliwatts, 255 and 65535 degrees, 2^32 - 1 MHz. */
void drops_nonsense(Recorder& recorder) {
  Script script;
  SensorLog log(std::make_unique<ScriptedSensor>(script), recorder);
  for (const double celsius : {255.0, 65535.0, -273.0}) {
    script.watts = 4294967.295;
    script.celsius = celsius;
    script.clock_mhz = 4294967295.0;
    check(!log.answer() || log.latest().joules.has_value(), "the counter is still there");
    const SensorReading now = log.latest();
    check(!now.watts && !now.celsius && !now.clock_mhz, "a value beyond any device's counts as no reading");
  }
  script.watts = 1400;
  script.celsius = 104;
  script.clock_mhz = 1980;
  log.answer();
  const SensorReading now = log.latest();
  check(now.watts == 1400.0 && now.celsius == 104.0 && now.clock_mhz == 1980.0, "a hot card's own are kept");
}

double highest_of(const std::vector<double>& readings, Near near) {
  HighestReading highest(near);
  for (const double reading : readings) highest.add(reading);
  return highest.value().value_or(-1);
}

/** Within the bounds of any device, but not of this one: a card of 700 W that says 9000 once, one of 60 degrees 129. */
void keeps_one_absurd_reading_out() {
  for (std::size_t at = 0; at < 5; ++at) {
    std::vector<double> watts = {605, 894, 640, 592, 951}, celsius = {55, 58, 60, 60, 59};
    watts.insert(watts.begin() + static_cast<std::ptrdiff_t>(at), 9000);
    celsius.insert(celsius.begin() + static_cast<std::ptrdiff_t>(at), 129);
    check(highest_of(watts, kNearWatts) == 951, "the highest watts are those of a reading that a neighbour confirms");
    check(highest_of(celsius, kNearCelsius) == 60, "and so is the highest temperature");
    LoadPower load;
    for (std::size_t i = 0; i < watts.size(); ++i) {
      SensorReading reading;
      reading.watts = watts[i];
      load.add(reading, static_cast<double>(i) * 0.2);
    }
    check(load.p95_watts() == 951.0, "nor does it make the percentile of a load's few readings");
  }
  check(highest_of({120, 894, 600}, kNearWatts) == 894, "a card that goes from rest to its peak within a reading does");
  check(highest_of({34, 48, 60}, kNearCelsius) == 60 && highest_of({61}, kNearCelsius) == 61,
        "a card that warms up has its last reading, and a single reading is all there is");
}

}  // namespace

void check_sensor_log() {
  int ends[2];
  if (pipe(ends) != 0) return check(false, "a pipe for the log");
  {
    Emitter emitter(ends[1]);
    Recorder recorder(emitter, "gpu-0");
    waits_for_no_sensor(recorder);
    leaves_gaps_out(recorder);
    drops_nonsense(recorder);
    keeps_one_absurd_reading_out();
    emitter.flush(60);
  }
  close(ends[0]);
  close(ends[1]);
}
