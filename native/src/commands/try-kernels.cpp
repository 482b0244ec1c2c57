// Trials of our matrix kernels, for another runner: each line of stdout says that a kernel's trial begins or ends. It
// is written at once, since the kernel may end this process.
#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "commands.h"
#include "commands/find-device.h"
#include "protocol/event-output.h"

namespace gpumark {

int try_kernels(const CommandLine& line) {
  const int output = event_output();
  // The runner that waits for the trials may be killed meanwhile.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A faulting kernel is expected here; an image of the memory would be as large as the card's.
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  Emitter emitter(nowhere);
  RunOptions options = line.options;
  options.is_trial = true;
  const FoundDevices found = find_devices(line.device, options, emitter);
  if (found.usable.empty()) return kExitNoDevice;
  std::set<std::string> kernels;
  std::stringstream names(line.kernels);
  for (std::string name; std::getline(names, name, ',');) kernels.insert(name);
  const FoundDevice& one = found.usable.front();
  Recorder recorder(emitter, one.device);
  try {
    one.backend->open(one.device, options, recorder)
        ->try_kernels(kernels, [output](const std::string& kernel, bool begins) {
          const std::string said = (begins ? kTrialBegins : kTrialEnds) + kernel + "\n";
          if (write(output, said.data(), said.size()) < 0) _exit(kExitOutputLost);
        });
    return kExitOk;
  } catch (const DeviceUnusable&) {
    return kExitDeviceFailed;
  }
}

}  // namespace gpumark
