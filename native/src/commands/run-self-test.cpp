#include "commands.h"
#include "commands/find-device.h"

namespace gpumark {

int run_self_test(const CommandLine& line) {
  Emitter emitter(1);
  const FoundDevice found = find_device(line.device, line.options, emitter);
  int exit_code = kExitNoDevice;
  if (found.backend) {
    Recorder recorder(emitter, found.device.device_id);
    const std::vector<std::string> wrong = found.backend->open(found.device, line.options, recorder)->self_test();
    for (const std::string& kernel : wrong) {
      emitter.failure(found.device.device_id, {"self_test_failed", kernel + " differs from its float64 reference",
                                               "Suspect memory or the processor, or report the processor model to the project."});
    }
    exit_code = wrong.empty() ? kExitOk : kExitWrong;
  }
  emitter.summary({exit_code, false, std::nullopt});
  return emitter.broken() ? kExitOutputLost : exit_code;
}

}  // namespace gpumark
