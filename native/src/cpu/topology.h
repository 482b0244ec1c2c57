// Cores, caches, memory and limits of this host, from sysfs and procfs under injectable roots, with libc as fallback.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpumark {

struct Topology {
  /** Logical CPUs this process may run on. */
  std::vector<int> cpus;
  /** One of `cpus` per physical core, for the worker threads. */
  std::vector<int> core_cpus;
  /** CPU quota of the cgroups, in cores; 0 = unlimited. */
  double cpu_quota = 0;
  std::uint64_t l1d_bytes = 0;
  std::uint64_t l2_bytes = 0;
  /** One last-level cache, and for each of `cpus`, SMT siblings too, the number of the cache domain it belongs to. */
  std::uint64_t llc_bytes = 0;
  int llc_level = 0;
  std::map<int, int> llc_domain;
  int llc_domains = 1;
  int numa_nodes = 1;
  /** Physical memory. */
  std::uint64_t memory_bytes = 0;
  /** "unknown" if cpufreq is not exposed, as in most virtual machines. */
  std::string governor = "unknown";
};

/** Logical CPUs this process may run on; never empty. */
std::vector<int> allowed_cpus();
Topology read_topology(const std::string& sysfs_root, const std::string& proc_root = "/proc",
                       const std::vector<int>& cpus = allowed_cpus());

/** Bytes that can be allocated at this moment without swapping, within the cgroup limits. */
std::uint64_t available_memory(const std::string& sysfs_root, const std::string& proc_root = "/proc");

/** First line of a small file, or "". */
std::string read_line(const std::string& path);
/** "0-3,8" -> 0 1 2 3 8; stops at text that cannot be parsed. At most 4096 entries. */
std::vector<int> parse_cpu_list(const std::string& text);

}  // namespace gpumark
