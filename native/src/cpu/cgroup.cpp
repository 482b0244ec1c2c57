#include "cpu/cgroup.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "cpu/topology.h"

namespace gpumark {
namespace {

struct Mount {
  bool is_v2 = false;
  /** Of a v1 hierarchy; may include other mount options. */
  std::string controllers;
  /** The mounted group, and its mount point. */
  std::string root, point;
};

/** One line of /proc/self/cgroup; v2 names no controllers. */
struct OwnGroup {
  std::string controllers, path;
};

bool lists(const std::string& comma_separated, const std::string& word) {
  return ("," + comma_separated + ",").find("," + word + ",") != std::string::npos;
}

std::vector<Mount> cgroup_mounts(const std::string& sysfs_root, const std::string& proc_root) {
  std::vector<Mount> mounts;
  std::ifstream table(proc_root + "/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    // The number of fields before the dash varies (proc_pid_mountinfo(5)).
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line.substr(0, dash)), tail(line.substr(dash + 3));
    std::string id, parent, device, type, source;
    Mount mount;
    head >> id >> parent >> device >> mount.root >> mount.point;
    tail >> type >> source >> mount.controllers;
    if (type != "cgroup" && type != "cgroup2") continue;
    mount.is_v2 = type == "cgroup2";
    if (mount.point.rfind("/sys/", 0) == 0) mount.point = sysfs_root + mount.point.substr(4);
    mounts.push_back(mount);
  }
  return mounts;
}

std::vector<OwnGroup> own_groups(const std::string& proc_root) {
  std::vector<OwnGroup> groups;
  std::ifstream file(proc_root + "/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second != std::string::npos)
      groups.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return groups;
}

/** Folders of the process's group and of all its ancestors. */
std::vector<std::string> folders_upwards(const Mount& mount, std::string path) {
  // In a container the mount often starts at the container's group while the path counts from the host's root.
  const std::string root = mount.root == "/" ? "" : mount.root;
  const bool is_below = (path + "/").rfind(root + "/", 0) == 0 && path.find("/..") == std::string::npos;
  // For a group outside the mount, the mount's own limit is the best guess: a limit that is too low only reduces sizes,
  // a missed one gets the run killed.
  path = is_below ? path.substr(root.size()) : "";
  if (path == "/") path.clear();
  std::vector<std::string> folders{mount.point + path};
  while (!path.empty()) {
    path.erase(path.rfind('/'));
    folders.push_back(mount.point + path);
  }
  return folders;
}

/** nullopt for "max", "-1" and a missing file. */
std::optional<std::uint64_t> read_number(const std::string& path) {
  const std::string text = read_line(path);
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  return std::strtoull(text.c_str(), nullptr, 10);
}

/** Cached file pages, which the kernel drops before it kills a process. */
std::uint64_t droppable_bytes(const std::string& folder, const std::string& wanted) {
  std::ifstream file(folder + "/memory.stat");
  std::string name;
  for (std::uint64_t value; file >> name >> value;) {
    if (name == wanted) return value;
  }
  return 0;
}

std::optional<std::uint64_t> memory_left(const std::string& folder, bool is_v2) {
  const auto limit = read_number(folder + (is_v2 ? "/memory.max" : "/memory.limit_in_bytes"));
  if (!limit) return std::nullopt;
  const std::uint64_t held = read_number(folder + (is_v2 ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const std::uint64_t kept =
      held - std::min(held, droppable_bytes(folder, is_v2 ? "inactive_file" : "total_inactive_file"));
  return *limit > kept ? *limit - kept : 0;
}

double cores_granted(const std::string& folder, bool is_v2) {
  std::istringstream v2(read_line(folder + "/cpu.max"));
  std::istringstream v1(read_line(folder + "/cpu.cfs_quota_us") + " " + read_line(folder + "/cpu.cfs_period_us"));
  std::string quota;
  double period = 0;
  (is_v2 ? v2 : v1) >> quota >> period;
  // Unlimited is "max" in v2, which atof makes 0, and -1 in v1.
  const double micros = std::atof(quota.c_str());
  return micros > 0 && period > 0 ? micros / period : 0;
}

}  // namespace

CgroupLimits read_cgroup_limits(const std::string& sysfs_root, const std::string& proc_root) {
  CgroupLimits limits;
  const std::vector<OwnGroup> groups = own_groups(proc_root);
  for (const Mount& mount : cgroup_mounts(sysfs_root, proc_root)) {
    for (const OwnGroup& group : groups) {
      const auto governs = [&](const char* controller) {
        return mount.is_v2 ? group.controllers.empty()
                           : lists(mount.controllers, controller) && lists(group.controllers, controller);
      };
      for (const std::string& folder : folders_upwards(mount, group.path)) {
        const auto memory = governs("memory") ? memory_left(folder, mount.is_v2) : std::nullopt;
        if (memory) limits.memory_available_bytes = std::min(*memory, limits.memory_available_bytes.value_or(*memory));
        const double cores = governs("cpu") ? cores_granted(folder, mount.is_v2) : 0;
        if (cores > 0) limits.cpu_quota = limits.cpu_quota > 0 ? std::min(limits.cpu_quota, cores) : cores;
      }
    }
  }
  return limits;
}

}  // namespace gpumark
