// Energy from made-up readings: what is published of counter and integral, whether they agree, and over which time.
#include <cmath>

#include "sensors/energy-record.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** A reading at `at` of a device that takes 100 W, with a counter that runs `speed` times as fast as it should. */
void read(EnergyRecord& record, double at, double speed, bool has_counter = true, bool has_power = true) {
  SensorReading reading;
  if (has_counter) reading.joules = 5000 + 100 * at * speed;
  if (has_power) reading.watts = 100;
  record.add(reading, at);
}

EnergyRecord over(double seconds, double speed) {
  EnergyRecord record;
  for (double at = 0; at <= seconds; at += 0.25) read(record, at, speed);
  return record;
}

bool is(std::optional<double> value, double expected) { return value && std::fabs(*value - expected) < 1e-9; }

void trust() {
  const EnergyRecord sound = over(4, 1), tripled = over(4, 3), stuck = over(4, 0), brief = over(0.75, 1),
                     short_load = over(1.25, 1.04);
  check(sound.counter_agrees() && is(sound.joules(), 400) && is(sound.ratio(), 1), "100 W over 4 s are 400 J");
  check(!tripled.counter_agrees() && is(tripled.joules(), 1200) && is(tripled.integrated_joules(), 400),
        "a counter three times too fast is published with the integral beside it, and said not to agree");
  check(tripled.mean_by_counter() && is(tripled.mean_watts(), 300) && is(tripled.integrated_watts(), 100) &&
            is(tripled.ratio(), 3),
        "its mean power too is the counter's: 1200 J over 4 s, with the 100 W of the readings and the ratio beside it");
  check(tripled.judged() == false && sound.judged() == true && is(sound.mean_watts(), 100),
        "disagreement is a flag and no replacement");
  check(!stuck.mean_by_counter() && is(stuck.mean_watts(), 100), "a counter that counted nothing has no mean");
  check(!brief.mean_by_counter() && is(brief.mean_watts(), 100) && !brief.judged(),
        "below a second its steps are too coarse: by the power, and not judged");
  check(short_load.mean_by_counter() && is(short_load.mean_watts(), 104) && is(short_load.integrated_watts(), 100) &&
            !short_load.judged(),
        "over 1.25 s, a quick run's load, the mean is the counter's 130 J, with the six readings' beside it, unjudged");
  check(!stuck.counter_agrees() && is(stuck.joules(), 400) && is(stuck.counter_joules(), 0),
        "one that stands still has counted nothing: the integral is all there is");
  check(!brief.counter_agrees() && is(brief.joules(), 75),
        "one seen for less than ten of its refreshes cannot be judged");
  EnergyRecord backwards = over(4, 1);
  read(backwards, 4.25, 0.5);
  check(!backwards.counter_agrees() && !backwards.counter_joules() && is(backwards.joules(), 425),
        "a counter that ran backwards has no difference");
  EnergyRecord jumping = over(4, 1);
  SensorReading absurd;
  absurd.joules = 4294967.295;
  absurd.watts = 100;
  jumping.add(absurd, 4.25);
  check(!jumping.counter_joules() && is(jumping.joules(), 425),
        "nor has one that jumped further than any device draws: 0.118 Wh stay 0.118 Wh");
  EnergyRecord alone;
  for (const double at : {0.0, 1.0}) read(alone, at, 1, true, false);
  check(alone.counter_agrees() && is(alone.joules(), 100) && alone.seconds() == 1,
        "a counter without power readings is trusted");
  check(is(alone.mean_watts(), 100) && !alone.integrated_watts() && !alone.judged(), "and is all there is for a mean");
}

void silence() {
  EnergyRecord record = over(4, 1);
  for (double at = 4.25; at <= 8; at += 0.25) record.add(SensorReading{}, at);
  check(is(record.joules(), 400) && record.seconds() == 4,
        "sensors lost after 4 s leave the energy of 4 s over 4 s: 100 W, not 50");
}

void gap() {
  EnergyRecord record;
  for (double at = 0; at <= 4; at += 0.25) read(record, at, 1, at != 2, at != 2);
  check(record.counter_agrees() && is(record.joules(), 400),
        "one reading that failed in between takes nothing from the counter");
  record.add(SensorReading{}, 4.25);
  check(!record.counter_joules(), "a counter that does not answer at the end has no difference");
}

void stretches() {
  EnergyRecord record;
  for (const double start : {0.0, 10.0, 20.0}) {
    for (double at = start; at <= start + 1; at += 0.25) read(record, at, 1);
    record.pause();
  }
  check(is(record.joules(), 300) && record.seconds() == 3 && record.counter_agrees(),
        "three stretches of a second are judged together, without the time between them");
  for (double at = 30; at <= 35; at += 0.25) read(record, at, 1);
  record.discard();
  check(is(record.joules(), 300) && record.seconds() == 3, "a stretch that was given up does not count");
}

}  // namespace

void check_energy() {
  trust();
  silence();
  gap();
  stretches();
}
