// The log of a device's sensors over a sensor that answers on command.
#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

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
    emitter.flush(60);
  }
  close(ends[0]);
  close(ends[1]);
}
