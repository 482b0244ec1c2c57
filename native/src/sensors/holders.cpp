#include "sensors/holders.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace gpumark {
namespace {

/** The 22nd field of /proc/PID/stat, the 20th after the name, which may contain blanks and brackets (proc(5)). */
std::optional<std::uint64_t> start_time(const std::string& path) {
  std::ifstream stat(path);
  const std::string text{std::istreambuf_iterator<char>(stat), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 19; ++i) fields >> skipped;
  std::uint64_t ticks = 0;
  return fields >> ticks ? std::optional<std::uint64_t>(ticks) : std::nullopt;
}

}  // namespace

ProcessView::ProcessView(std::string proc_root)
    : root_(std::move(proc_root)), shows_host_(is_of_host("self") || is_of_host("1")), own_(look_up("self")) {}

std::uint64_t ProcessView::now() {
  timespec since_boot = {};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const auto rate = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return static_cast<std::uint64_t>(since_boot.tv_sec) * rate +
         static_cast<std::uint64_t>(since_boot.tv_nsec) * rate / 1000000000;
}

bool ProcessView::is_of_host(const std::string& name) const {
  char target[64] = {};
  const ssize_t length = readlink((root_ + "/" + name + "/ns/pid").c_str(), target, sizeof target - 1);
  return length > 0 && std::string(target) == "pid:[4026531836]";
}

std::optional<ProcessView::Process> ProcessView::look_up(const std::string& name) const {
  Process found;
  std::ifstream status(root_ + "/" + name + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("NSpid:", 0) != 0) continue;
    std::istringstream numbers(line.substr(6));
    for (unsigned pid = 0; numbers >> pid;) found.ids.push_back(pid);
  }
  const std::optional<std::uint64_t> started = start_time(root_ + "/" + name + "/stat");
  if (found.ids.empty() || !started) return std::nullopt;
  found.started = *started;
  return found;
}

std::vector<std::string> ProcessView::others(const std::vector<unsigned>& pids, bool has_context,
                                             std::uint64_t asked) const {
  std::vector<std::string> words;
  bool met_itself = false;
  for (const unsigned pid : pids) {
    const std::optional<Process> process = shows_host_ ? look_up(std::to_string(pid)) : std::nullopt;
    // A process that started later has reused the id of a holder that has ended.
    const bool known = process && process->started <= asked;
    if (known && process == own_)
      met_itself = true;
    else
      words.push_back(known ? "process " + std::to_string(pid) : "another process");
  }
  // Our own process is among those that could not be identified.
  if (has_context && !met_itself && !(shows_host_ && own_) && !words.empty()) words.pop_back();
  return words;
}

}  // namespace gpumark
