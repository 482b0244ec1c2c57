#include <thread>

#include "commands.h"
#include "commands/lane.h"
#include "measure/progress.h"
#include "measure/stop.h"
#include "protocol/event-output.h"

namespace gpumark {
namespace {

/**
 * Threshold for mean over best slice time: about 1.03 on a quiet machine, 1.5 and more when other programs compete for
 * the cores.
 */
constexpr double kContended = 1.10;

int exit_code_of(const std::vector<std::unique_ptr<Lane>>& lanes, bool incomplete) {
  bool any_opened = false, any_wrong = false;
  for (const auto& lane : lanes) {
    any_opened = any_opened || lane->opened();
    any_wrong = any_wrong || lane->any_wrong();
    incomplete = incomplete || !lane->opened() || lane->any_failed();
  }
  if (output_lost()) return kExitOutputLost;
  if (stop_requested()) return 128 + stop_signal();
  if (!any_opened) return kExitNoDevice;
  return any_wrong ? kExitWrong : incomplete ? kExitDeviceFailed : kExitOk;
}

}  // namespace

int run_benchmarks(const CommandLine& line) {
  Emitter emitter(event_output());
  const ProgressReports reports([&emitter] { emitter.progress(); });
  stop_when_reader_leaves(event_output());
  const FoundDevices found = find_devices(line.device, line.options, emitter);
  Barrier together(static_cast<int>(found.usable.size()));
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const FoundDevice& device : found.usable) {
    // A process that was started for one instance must not start another one: if it does not see the instance, it
    // reports that.
    const bool own_process = !device.device.own_process.empty() && !line.options.in_step;
    const auto make = own_process ? make_process_lane : make_device_lane;
    lanes.push_back(make(device, line.options, emitter, together, static_cast<int>(lanes.size())));
  }
  if (lanes.size() == 1) {
    lanes[0]->run();
  } else {
    std::vector<std::thread> threads;
    for (const auto& lane : lanes) threads.emplace_back([&lane] { lane->run(); });
    for (std::thread& thread : threads) thread.join();
  }
  if (stop_signal() != 0) {
    emitter.failure(
        lanes.size() == 1 ? found.usable[0].device.device_id : "",
        {"interrupted", "stopped by signal " + std::to_string(stop_signal()) + "; the results up to then are above",
         "Run it again and let it finish for a complete result."});
  }
  std::optional<double> ratio;
  for (const auto& lane : lanes) {
    const std::optional<double> one = lane->contention_ratio();
    if (one && (!ratio || *one > *ratio)) ratio = one;
  }
  const int exit_code = exit_code_of(lanes, found.incomplete);
  emitter.summary({exit_code, ratio && *ratio > kContended, ratio});
  return exit_code;
}

}  // namespace gpumark
