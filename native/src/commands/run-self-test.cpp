#include "commands.h"
#include "commands/find-device.h"
#include "protocol/event-output.h"

namespace gpumark {

int run_self_test(const CommandLine& line) {
  Emitter emitter(event_output());
  const FoundDevices found = find_devices(line.device, line.options, emitter);
  int exit_code = found.usable.empty() ? kExitNoDevice : found.incomplete ? kExitDeviceFailed : kExitOk;
  for (const FoundDevice& one : found.usable) {
    const std::string& id = one.device.device_id;
    Recorder recorder(emitter, one.device);
    bool opened = false;
    try {
      const std::unique_ptr<Session> session = one.backend->open(one.device, line.options, recorder);
      opened = true;
      for (const std::string& kernel : session->self_test()) {
        exit_code = kExitWrong;
        emitter.failure(id, {"self_test_failed", kernel + " differs from its reference",
                             "Suspect the device's memory or the device, or report its model to the project."});
      }
    } catch (const DeviceUnusable& unusable) {
      recorder.announce();
      emitter.failure(id, {unusable.code, unusable.message, unusable.remedy});
      if (exit_code == kExitOk) exit_code = opened || found.usable.size() > 1 ? kExitDeviceFailed : kExitNoDevice;
    }
  }
  emitter.summary({exit_code, false, std::nullopt});
  return emitter.finish() ? exit_code : kExitOutputLost;
}

}  // namespace gpumark
