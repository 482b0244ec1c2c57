// Identifies the processes that hold a device's memory, from process ids that may belong to another PID namespace.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gpumark {

/**
 * NVML reports process ids of the host's namespace. In a container the same id is another process or none, and our own
 * host id is unknown, so ids can be reported only if /proc shows those of the host.
 */
class ProcessView {
 public:
  /** Takes this process's own ids from `proc_root`. */
  explicit ProcessView(std::string proc_root = "/proc");
  /**
   * Text for each holder other than this process: "process 4711" if /proc shows it under the host's id and it had
   * started when the ids were read, else "another process". This one is known by its ids in all namespaces (NSpid) and
   * its start time. @param has_context this process holds the device too, so one of the ids is ours, whatever its
   * number. @param asked clock ticks since boot
   */
  std::vector<std::string> others(const std::vector<unsigned>& pids, bool has_context,
                                  std::uint64_t asked = std::numeric_limits<std::uint64_t>::max()) const;
  /** Clock ticks since boot, in which /proc counts when a process started. */
  static std::uint64_t now();

 private:
  struct Process {
    /** Ids in every PID namespace from that of /proc inwards. */
    std::vector<unsigned> ids;
    std::uint64_t started = 0;
    bool operator==(const Process& other) const { return ids == other.ids && started == other.started; }
  };
  /** nullopt if there is no such process, or it may not be inspected. */
  std::optional<Process> look_up(const std::string& name) const;
  bool is_of_host(const std::string& name) const;

  std::string root_;
  /**
   * /proc shows the host's ids: this process or process 1 is in the host's PID namespace, whose inode number is fixed
   * by the kernel (PROC_PID_INIT_INO).
   */
  bool shows_host_;
  std::optional<Process> own_;
};

}  // namespace gpumark
