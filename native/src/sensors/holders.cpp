#include "sensors/holders.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace gpumark {

ProcessView ProcessView::of(const std::string& proc_root) {
  ProcessView view;
  char target[64] = {};
  const ssize_t length = readlink((proc_root + "/self/ns/pid").c_str(), target, sizeof target - 1);
  view.is_host = length > 0 && std::string(target) == "pid:[4026531836]";
  std::ifstream status(proc_root + "/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("NSpid:", 0) != 0) continue;
    std::istringstream numbers(line.substr(6));
    for (unsigned pid = 0; numbers >> pid;) view.own.push_back(pid);
  }
  if (view.own.empty()) view.own.push_back(static_cast<unsigned>(getpid()));
  return view;
}

std::vector<std::string> ProcessView::others(const std::vector<unsigned>& pids, bool has_context) const {
  std::vector<std::string> words;
  if (is_host) {
    for (const unsigned pid : pids) {
      if (std::find(own.begin(), own.end(), pid) == own.end()) words.push_back("process " + std::to_string(pid));
    }
    return words;
  }
  const std::size_t ours = has_context && !pids.empty() ? 1 : 0;
  words.assign(pids.size() - ours, "another process");
  return words;
}

}  // namespace gpumark
