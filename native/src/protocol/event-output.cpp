#include "protocol/event-output.h"

#include <fcntl.h>
#include <unistd.h>

namespace gpumark {

int event_output() {
  static const int events = [] {
    // Above the standard ones, even if some of them are closed.
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return copy;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    return copy;
  }();
  return events;
}

}  // namespace gpumark
