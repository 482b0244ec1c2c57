#include "commands.h"
#include "protocol/emitter.h"
#include "protocol/event-output.h"

namespace gpumark {

int list_devices(const CommandLine& line) {
  Emitter emitter(event_output());
  for (const auto& backend : all_backends()) {
    for (const Device& device : backend->list(line.options)) emitter.device(device);
  }
  emitter.summary({kExitOk, false, std::nullopt});
  return emitter.finish() ? kExitOk : kExitOutputLost;
}

}  // namespace gpumark
