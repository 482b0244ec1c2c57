#include <algorithm>
#include <cstdio>
#include <thread>

#include "commands.h"
#include "commands/find-device.h"
#include "measure/barrier.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

/** Mean over best slice time: about 1.03 on a quiet machine, 1.5 and more when somebody else wants the cores. */
constexpr double kContended = 1.10;

/** One device's way through the benchmarks. With several devices every benchmark begins on all of them at once. */
class Lane {
 public:
  Lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter, Barrier& together)
      : found_(found), options_(options), emitter_(emitter), together_(together), recorder_(emitter, found.device) {}

  void run() {
    if (const std::unique_ptr<Session> session = open()) measure(*session);
    together_.leave();
  }

  bool opened() const { return opened_; }
  const Recorder& recorder() const { return recorder_; }

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
      emitter_.failure(found_.device.device_id, {"driver_call_failed", std::string("the device could not be opened: ") + error.what(), kReport});
    }
    opened_ = session != nullptr;
    return session;
  }

  void measure(Session& session) {
    const std::string& id = found_.device.device_id;
    const int count = static_cast<int>(options_.benchmarks.size());
    for (int index = 0; index < count && !output_lost(); ++index) {
      const BenchmarkSpec& spec = *find_benchmark(options_.benchmarks[static_cast<std::size_t>(index)]);
      const double expected = session.expected_seconds(spec);
      recorder_.begin(spec);
      together_.arrive();
      emitter_.phase(id, spec.id, "start", expected, index, count);
      if (together_.size() == 1) std::fprintf(stderr, "%s (%d of %d)\n", spec.id, index + 1, count);
      // After a stop only the sensors are still read: their figures cover what did run.
      if (!stop_requested() || spec.quick_seconds == 0) run_one(session, spec);
      recorder_.finish(stop_requested() ? "the run was stopped before this was measured" : "the benchmark gave too few samples");
      emitter_.phase(id, spec.id, "end", expected, index, count);
    }
  }

  /** What escapes from a lane's thread would take the other lanes and all their figures with it. */
  void run_one(Session& session, const BenchmarkSpec& spec) {
    try {
      session.run(spec, recorder_);
    } catch (const std::exception& error) {
      recorder_.fail({"driver_call_failed", std::string(spec.id) + ": " + error.what(), kReport});
      recorder_.finish("measuring it failed: " + std::string(error.what()));
    }
  }

  static constexpr const char* kReport = "Run it again; if it comes back, report it to the project.";
  const FoundDevice& found_;
  const RunOptions& options_;
  Emitter& emitter_;
  Barrier& together_;
  Recorder recorder_;
  bool opened_ = false;
};

int exit_code_of(const std::vector<std::unique_ptr<Lane>>& lanes, bool incomplete) {
  bool any_opened = false, any_wrong = false;
  for (const auto& lane : lanes) {
    any_opened = any_opened || lane->opened();
    any_wrong = any_wrong || lane->recorder().any_wrong();
    incomplete = incomplete || !lane->opened() || lane->recorder().any_failed();
  }
  if (output_lost()) return kExitOutputLost;
  if (stop_requested()) return 128 + stop_signal();
  if (!any_opened) return kExitNoDevice;
  return any_wrong ? kExitWrong : incomplete ? kExitDeviceFailed : kExitOk;
}

}  // namespace

int run_benchmarks(const CommandLine& line) {
  Emitter emitter(1);
  stop_when_reader_leaves(1);
  const FoundDevices found = find_devices(line.device, line.options, emitter);
  Barrier together(static_cast<int>(found.usable.size()));
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const FoundDevice& device : found.usable) lanes.push_back(std::make_unique<Lane>(device, line.options, emitter, together));
  if (lanes.size() == 1) {
    lanes[0]->run();
  } else {
    std::vector<std::thread> threads;
    for (const auto& lane : lanes) threads.emplace_back([&lane] { lane->run(); });
    for (std::thread& thread : threads) thread.join();
  }
  if (stop_signal() != 0) {
    emitter.failure(lanes.size() == 1 ? found.usable[0].device.device_id : "",
                    {"interrupted", "stopped by signal " + std::to_string(stop_signal()) + "; what was measured until then is above",
                     "Run it again and let it finish for a complete result."});
  }
  std::optional<double> ratio;
  for (const auto& lane : lanes) {
    const std::optional<double> one = lane->recorder().contention_ratio();
    if (one && (!ratio || *one > *ratio)) ratio = one;
  }
  const int exit_code = exit_code_of(lanes, found.incomplete);
  emitter.summary({exit_code, ratio && *ratio > kContended, ratio});
  return exit_code;
}

}  // namespace gpumark
