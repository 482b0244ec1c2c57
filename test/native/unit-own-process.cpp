// Processes of this program: what they inherit, and that nothing is left of them.
#include <cstdio>
#include <filesystem>
#include <string>
#include <sys/wait.h>

#include "own-process.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** Open file descriptors; reading the folder takes one. */
std::string descriptors() {
  std::string all;
  for (int fd = 0; fd < 64; ++fd) {
    if (std::filesystem::exists(std::filesystem::symlink_status("/proc/self/fd/" + std::to_string(fd))))
      all += std::to_string(fd) + " ";
  }
  return all;
}

}  // namespace

int print_descriptors() {
  std::printf("%s\n", descriptors().c_str());
  return 3;
}

void check_own_process() {
  const std::string before = descriptors();
  bool inherits = true, ends = true;
  for (int i = 0; i < 20; ++i) {
    OwnProcess process, other, left;
    // The second must not hold the first one's pipes, or its end would not be seen.
    inherits = inherits && process.start({"descriptors"}, "").empty() && other.start({"descriptors"}, "A=b").empty() &&
               left.start({"descriptors"}, "").empty();
    for (OwnProcess* one : {&process, &other}) {
      std::string line;
      while (one->read_line(line, 100) == OwnProcess::Read::nothing) continue;
      inherits = inherits && line == "0 1 2 ";
      OwnProcess::Read read;
      while ((read = one->read_line(line, 100)) == OwnProcess::Read::nothing) continue;
      const int status = one->wait();
      ends = ends && read == OwnProcess::Read::end && WIFEXITED(status) && WEXITSTATUS(status) == 3;
    }
  }
  check(inherits, "a process of our own has stdin, stdout and stderr and no other file of ours");
  check(ends, "its end is seen, and its exit code");
  check(descriptors() == before, "no file is left open by processes that ended, or that were left");
}
