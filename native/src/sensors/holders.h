// Who holds a device's memory, told by process ids that may be another namespace's.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

/**
 * NVML numbers processes as the host does. In a container the same number is another process's, or nobody's, and our own is not among those
 * that we know ourselves by, so that numbers can be named only where our namespace is the host's.
 */
struct ProcessView {
  /** The ids are those of the host: the namespace is the first one, whose number the kernel fixes (PROC_PID_INIT_INO). */
  bool is_host = false;
  /** Every id of this process that its own system shows (NSpid of /proc/self/status, the host's first). */
  std::vector<unsigned> own;

  static ProcessView of(const std::string& proc_root = "/proc");
  /**
   * Words for the holders beside this process: "process 4711" on the host, else "another process" for each. @param has_context this
   * process holds the device itself, so that one of the ids is ours whatever its number
   */
  std::vector<std::string> others(const std::vector<unsigned>& pids, bool has_context) const;
};

}  // namespace gpumark
