// Who holds a device's memory, told by process ids that may be another namespace's.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gpumark {

/**
 * NVML numbers processes as the host does. In a container the same number is another process's, or nobody's, and our
 * own is not among those that we know ourselves by, so that numbers can be named only if /proc shows those of the
 * host.
 */
class ProcessView {
 public:
  /** As this process sees them now. Numbers asked for before are compared with what /proc shows later. */
  explicit ProcessView(std::string proc_root = "/proc");
  /**
   * Words for the holders beside this process: "process 4711" for one that /proc shows under the host's number and that
   * had started when they were asked for, else "another process". This one is known by its ids in all namespaces
   * (NSpid) and its start time. @param has_context this process holds the device itself, so that one of the ids is ours
   * whatever its number. @param asked clock ticks since boot
   */
  std::vector<std::string> others(const std::vector<unsigned>& pids, bool has_context,
                                  std::uint64_t asked = std::numeric_limits<std::uint64_t>::max()) const;
  /** Clock ticks since boot, in which /proc counts when a process started. */
  static std::uint64_t now();

 private:
  struct Process {
    /** Of every namespace from that of /proc inwards. */
    std::vector<unsigned> ids;
    std::uint64_t started = 0;
    bool operator==(const Process& other) const { return ids == other.ids && started == other.started; }
  };
  /** Nothing if there is no such process, or none that may be looked at. */
  std::optional<Process> look_up(const std::string& name) const;
  bool is_of_host(const std::string& name) const;

  std::string root_;
  /**
   * The numbers of /proc are the host's: this process or the first one is of its namespace, whose own number the kernel
   * fixes (PROC_PID_INIT_INO).
   */
  bool shows_host_;
  std::optional<Process> own_;
};

}  // namespace gpumark
