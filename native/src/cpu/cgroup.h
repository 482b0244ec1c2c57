// Memory and CPU limits from this process's control groups, v1 and v2: exceeding the first gets the process killed, the
// second throttled.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace gpumark {

/**
 * The lowest limit of any group, from the process's own up to the outermost visible one. `memory.high` and limits of
 * swap are ignored.
 */
struct CgroupLimits {
  /** Limit minus what the group holds and cannot drop; nullopt = unlimited. */
  std::optional<std::uint64_t> memory_available_bytes;
  /** In cores; 0 = unlimited. */
  double cpu_quota = 0;
};

/** Reads `proc_root`/self/{cgroup,mountinfo}; mounts below /sys are read under `sysfs_root`. */
CgroupLimits read_cgroup_limits(const std::string& sysfs_root, const std::string& proc_root);

}  // namespace gpumark
