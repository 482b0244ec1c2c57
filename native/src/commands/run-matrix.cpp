#include "commands.h"
#include "commands/find-device.h"
#include "measure/progress.h"
#include "measure/stop.h"
#include "protocol/event-output.h"

namespace gpumark {

int run_matrix(const CommandLine& line) {
  Emitter emitter(event_output());
  const ProgressReports reports([&emitter] { emitter.progress(); });
  stop_when_reader_leaves(event_output());
  const FoundDevices found = find_devices(line.device, line.options, emitter);
  bool complete = !found.incomplete, wrong = false, has_pair = false;
  for (const FoundDevice& one : found.usable) emitter.device(one.device);
  for (const auto& backend : found.backends) {
    std::vector<Device> devices;
    for (const FoundDevice& one : found.usable) {
      if (one.backend == backend.get()) devices.push_back(one.device);
    }
    // There are no cells across vendors: one driver cannot copy from the other's memory.
    if (devices.size() < 2) continue;
    has_pair = true;
    const MatrixOutcome outcome = backend->copy_matrix(devices, line.options, emitter);
    complete = complete && outcome.complete;
    wrong = wrong || outcome.wrong;
  }
  if (!has_pair) {
    emitter.failure("", {"no_usable_device", "a matrix needs at least two usable devices of one vendor",
                         "See `gpumark-runner --list` for the devices of this machine."});
  }
  if (stop_signal() != 0)
    emitter.failure("", {"interrupted", "stopped by signal " + std::to_string(stop_signal()),
                         "Run it again and let it finish for a complete matrix."});
  const int exit_code = output_lost()      ? kExitOutputLost
                        : stop_requested() ? 128 + stop_signal()
                        : !has_pair        ? kExitNoDevice
                        : wrong            ? kExitWrong
                        : complete         ? kExitOk
                                           : kExitDeviceFailed;
  emitter.summary({exit_code, false, std::nullopt});
  return exit_code;
}

}  // namespace gpumark
