// A device measured in a separate process: this same program, shown only that device. Its events are relayed as they
// come, except its summary.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <utility>
#include <unistd.h>

#include "commands.h"
#include "commands/lane.h"
#include "commands/schedule.h"
#include "measure/stop.h"

extern char** environ;

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
  std::vector<std::string> words = {
      "gpumark-runner",     "run",    "--device", found.device.device_id, "--benchmarks",
      listed(o.benchmarks), "--tier", tier,       "--time-scale",         std::to_string(o.time_scale)};
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

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

class ProcessLane : public Lane {
 public:
  ProcessLane(const FoundDevice& found, const RunOptions& options, Emitter& emitter, Barrier& together, int place)
      : found_(found), options_(options), emitter_(emitter), together_(together), place_(place) {}
  ~ProcessLane() override {
    for (const int fd : {steps_, events_}) {
      if (fd >= 0) close(fd);
    }
  }

  void run() override {
    if (start()) {
      for (const Step& step : schedule_of(options_, together_.size())) {
        if (ended_) break;
        const int at_work = together_.arrive();
        if (!step.is_of(place_)) continue;
        begin_step(at_work);
        relay_until_benchmark_end();
      }
      // Otherwise the child would wait for another step.
      close(std::exchange(steps_, -1));
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
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0) return fail("pipe");
    if (pipe2(out, O_CLOEXEC) != 0) {
      close(in[0]), close(in[1]);
      return fail("pipe");
    }
    steps_ = in[1];
    events_ = out[0];
    std::vector<std::string> words = arguments_of(found_, options_), environment;
    const std::string& shown = found_.device.own_process;
    const std::size_t name = shown.find('=') + 1;
    for (char** one = environ; *one; ++one) {
      if (std::strncmp(*one, shown.c_str(), name) != 0) environment.emplace_back(*one);
    }
    environment.push_back(shown);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    std::vector<char*> arguments = pointers(words), variables = pointers(environment);
    const int code = posix_spawn(&pid_, "/proc/self/exe", &files, nullptr, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&files);
    close(in[0]);
    close(out[1]);
    errno = code;
    return code == 0 || fail("posix_spawn");
  }

  bool fail(const char* call) {
    emitter_.device(found_.device);
    emitter_.failure(found_.device.device_id, {"driver_call_failed",
                                               std::string("no process could be started for the instance: ") + call +
                                                   ": " + std::strerror(errno),
                                               "Set " + found_.device.own_process + " and run it by itself."});
    return false;
  }

  void begin_step(int at_work) {
    const auto devices = static_cast<unsigned char>(at_work);
    while (write(steps_, &devices, 1) < 0 && errno == EINTR) continue;
  }

  /**
   * Relays events until the child's benchmark ends; passes our signals, and the loss of our reader, on to the child.
   */
  void relay_until_benchmark_end() {
    for (;;) {
      for (std::size_t end; (end = rest_.find('\n')) != std::string::npos;) {
        const std::string line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        // The interruption is reported once for all devices, by this process.
        if (line.find("\"event\":\"summary\"") != std::string::npos ||
            line.find("\"code\":\"interrupted\"") != std::string::npos)
          continue;
        emitter_.relay(line);
        if (line.find("\"event\":\"phase\"") != std::string::npos &&
            line.find("\"state\":\"end\"") != std::string::npos)
          return;
      }
      if (stop_requested() && !told_to_stop_) {
        told_to_stop_ = true;
        kill(pid_, SIGTERM);
      }
      pollfd look = {events_, POLLIN, 0};
      if (poll(&look, 1, kLookMs) <= 0) continue;
      char bytes[16384];
      const ssize_t got = read(events_, bytes, sizeof bytes);
      if (got > 0) {
        rest_.append(bytes, static_cast<std::size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        ended_ = true;
        return;
      }
    }
  }

  void wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
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
  pid_t pid_ = -1;
  int steps_ = -1, events_ = -1;
  int exit_code_ = -1;
  bool ended_ = false, told_to_stop_ = false;
  std::string rest_;
};

}  // namespace

std::unique_ptr<Lane> make_process_lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter,
                                        Barrier& together, int place) {
  return std::make_unique<ProcessLane>(found, options, emitter, together, place);
}

}  // namespace gpumark
