#include <cerrno>
#include <cstdio>
#include <unistd.h>

#include "commands/lane.h"
#include "commands/schedule.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

class DeviceLane : public Lane {
 public:
  DeviceLane(const FoundDevice& found, const RunOptions& options, Emitter& emitter, Barrier& together, int place)
      : found_(found),
        options_(options),
        emitter_(emitter),
        together_(together),
        place_(place),
        recorder_(emitter, found.device) {}

  void run() override {
    if (const std::unique_ptr<Session> session = open()) measure(*session);
    together_.leave();
  }

  bool opened() const override { return opened_; }
  bool any_wrong() const override { return recorder_.any_wrong(); }
  bool any_failed() const override { return recorder_.any_failed(); }
  std::optional<double> contention_ratio() const override { return recorder_.contention_ratio(); }

 private:
  std::unique_ptr<Session> open() {
    std::unique_ptr<Session> session;
    try {
      session = found_.backend->open(found_.device, options_, recorder_);
    } catch (const DeviceUnusable& unusable) {
      recorder_.announce();
      emitter_.failure(found_.device.device_id, {unusable.code, unusable.message, unusable.remedy});
    } catch (const std::exception& error) {
      recorder_.announce();
      emitter_.failure(found_.device.device_id,
                       {"driver_call_failed", std::string("the device could not be opened: ") + error.what(), kReport});
    }
    opened_ = session != nullptr;
    return session;
  }

  void measure(Session& session) {
    const std::string& id = found_.device.device_id;
    const std::vector<Step> steps = schedule_of(options_, together_.size());
    const int count = steps_of(steps, place_);
    int index = 0;
    for (const Step& step : steps) {
      if (output_lost()) return;
      int at_work = together_.arrive();
      if (!step.is_of(place_)) continue;
      const BenchmarkSpec& spec = *step.benchmark;
      const double expected = session.expected_seconds(spec);
      recorder_.begin(spec);
      if (options_.in_step) at_work = wait_for_step();
      if (options_.in_step || together_.size() > 1) recorder_.at_work(step.is_turn() ? 1 : at_work);
      pause(step.pause_seconds);
      emitter_.phase(id, spec.id, "start", expected, index, count, step.is_turn());
      if (together_.size() == 1) std::fprintf(stderr, "%s (%d of %d)\n", spec.id, index + 1, count);
      // After a stop only the sensors are still read: their figures cover what has run.
      if (!stop_requested() || spec.spans) run_one(session, spec);
      recorder_.finish(stop_requested() ? "the run was stopped before this was measured"
                                        : "the benchmark gave too few samples");
      emitter_.phase(id, spec.id, "end", expected, index, count, step.is_turn());
      ++index;
    }
  }

  /** @returns the byte: how many devices work. End of input counts as one of 0: nobody keeps step any more. */
  static int wait_for_step() {
    unsigned char devices = 0;
    while (read(0, &devices, 1) < 0 && errno == EINTR && !stop_requested()) continue;
    return devices;
  }

  static void pause(double seconds) {
    for (const double until = now_seconds() + seconds; now_seconds() < until && !stop_requested();)
      usleep(kPauseSliceUs);
  }

  /** An exception that escapes a lane's thread would end the process, and the other lanes' figures with it. */
  void run_one(Session& session, const BenchmarkSpec& spec) {
    try {
      session.run(spec, recorder_);
    } catch (const std::exception& error) {
      recorder_.fail({"driver_call_failed", std::string(spec.id) + ": " + error.what(), kReport});
      recorder_.finish("measuring it failed: " + std::string(error.what()));
    }
  }

  static constexpr unsigned kPauseSliceUs = 10'000;
  static constexpr const char* kReport = "Run it again; if the failure persists, report it to the project.";
  const FoundDevice& found_;
  const RunOptions& options_;
  Emitter& emitter_;
  Barrier& together_;
  const int place_;
  Recorder recorder_;
  bool opened_ = false;
};

}  // namespace

std::unique_ptr<Lane> make_device_lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter,
                                       Barrier& together, int place) {
  return std::make_unique<DeviceLane>(found, options, emitter, together, place);
}

}  // namespace gpumark
