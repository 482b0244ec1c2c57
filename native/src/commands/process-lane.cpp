// A device measured in a separate process: this same program, shown only that device. Its events are relayed as they
// come, except its summary.
#include <csignal>
#include <sys/wait.h>

#include "commands.h"
#include "commands/lane.h"
#include "commands/schedule.h"
#include "measure/stop.h"
#include "own-process.h"

namespace gpumark {
namespace {

constexpr int kLookMs = 100;

std::vector<std::string> arguments_of(const FoundDevice& found, const RunOptions& o) {
  const auto listed = [](const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& one : names) list += (list.empty() ? "" : ",") + one;
    return list;
  };
  const char* tier = o.tier == Tier::quick ? "quick" : o.tier == Tier::standard ? "standard" : "soak";
  const char* engine = o.engine == EngineChoice::vendor ? "vendor" : o.engine == EngineChoice::own ? "own" : "auto";
  std::vector<std::string> words = {"run",          "--device",           found.device.device_id,
                                    "--benchmarks", listed(o.benchmarks), "--tier",
                                    tier,           "--time-scale",       std::to_string(o.time_scale)};
  for (const std::string& word :
       {std::string("--data"), std::string(o.random_data ? "random" : "zeros"), std::string("--engine"),
        std::string(engine), std::string("--seed"), std::to_string(o.seed), std::string("--sysfs-root"), o.sysfs_root,
        std::string("--in-step"), std::string("stdin")}) {
    words.push_back(word);
  }
  words.insert(words.end(), {"--swings", std::to_string(o.swings)});
  if (!o.turns.empty()) words.insert(words.end(), {"--turns", listed(o.turns)});
  if (o.max_memory_bytes) words.insert(words.end(), {"--max-memory-bytes", std::to_string(o.max_memory_bytes)});
  return words;
}

class ProcessLane : public Lane {
 public:
  ProcessLane(const FoundDevice& found, const RunOptions& options, Emitter& emitter, Barrier& together, int place)
      : found_(found), options_(options), emitter_(emitter), together_(together), place_(place) {}

  void run() override {
    if (start()) {
      for (const Step& step : schedule_of(options_, together_.size())) {
        if (ended_) break;
        const int at_work = together_.arrive();
        if (!step.is_of(place_)) continue;
        process_.tell(static_cast<unsigned char>(at_work));
        relay_until_benchmark_end();
      }
      // Otherwise the child would wait for another step.
      process_.close_input();
      while (!ended_) relay_until_benchmark_end();
      wait();
    }
    together_.leave();
  }
  bool opened() const override { return exit_code_ != kExitNoDevice && exit_code_ >= 0; }
  bool any_wrong() const override { return exit_code_ == kExitWrong; }
  bool any_failed() const override { return exit_code_ != kExitOk && exit_code_ != kExitWrong; }
  std::optional<double> contention_ratio() const override { return std::nullopt; }

 private:
  bool start() {
    const std::string problem = process_.start(arguments_of(found_, options_), found_.device.own_process);
    if (problem.empty()) return true;
    emitter_.device(found_.device);
    emitter_.failure(found_.device.device_id,
                     {"driver_call_failed", "no process could be started for the instance: " + problem,
                      "Set " + found_.device.own_process + " and run it by itself."});
    return false;
  }

  /**
   * Relays events until the child's benchmark ends; passes our signals, and the loss of our reader, on to the child.
   */
  void relay_until_benchmark_end() {
    for (std::string line;;) {
      const OwnProcess::Read read = process_.read_line(line, kLookMs);
      if (read == OwnProcess::Read::end) {
        ended_ = true;
        return;
      }
      if (stop_requested() && !told_to_stop_) {
        told_to_stop_ = true;
        process_.signal(SIGTERM);
      }
      // The interruption is reported once for all devices, by this process.
      if (read == OwnProcess::Read::nothing || has(line, "\"event\":\"summary\"") ||
          has(line, "\"code\":\"interrupted\""))
        continue;
      emitter_.relay(line);
      if (has(line, "\"event\":\"phase\"") && has(line, "\"state\":\"end\"")) return;
    }
  }

  static bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

  void wait() {
    const int status = process_.wait();
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : kExitDeviceFailed;
    if (WIFSIGNALED(status)) {
      emitter_.failure(
          found_.device.device_id,
          {"driver_call_failed", "the instance's process was ended by signal " + std::to_string(WTERMSIG(status)),
           "Run it again; if the failure persists, report it to the project."});
    }
  }

  const FoundDevice& found_;
  const RunOptions& options_;
  Emitter& emitter_;
  Barrier& together_;
  const int place_;
  OwnProcess process_;
  int exit_code_ = -1;
  bool ended_ = false, told_to_stop_ = false;
};

}  // namespace

std::unique_ptr<Lane> make_process_lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter,
                                        Barrier& together, int place) {
  return std::make_unique<ProcessLane>(found, options, emitter, together, place);
}

}  // namespace gpumark
