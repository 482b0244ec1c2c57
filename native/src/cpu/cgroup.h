// What the control groups of this process leave it, v1 and v2: a process that takes more memory is killed, one that
// takes more CPU time is throttled.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace gpumark {

/** The least that any group grants, from the process's own up to the outermost that can be seen. */
struct CgroupLimits {
  /** Limit less what the group holds and cannot drop; none = unlimited. */
  std::optional<std::uint64_t> memory_available_bytes;
  /** In cores; 0 = unlimited. */
  double cpu_quota = 0;
};

/** Reads `proc_root`/self/{cgroup,mountinfo}; mounts below /sys are looked for in `sysfs_root`. */
CgroupLimits read_cgroup_limits(const std::string& sysfs_root, const std::string& proc_root);

}  // namespace gpumark
