#include "cpu/topology.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <sstream>
#include <unistd.h>

#include "cpu/cgroup.h"

namespace gpumark {
namespace {

std::string cpu_path(const std::string& root, int cpu) {
  return root + "/devices/system/cpu/cpu" + std::to_string(cpu);
}

/** "512K", "32768K" or "32M" in bytes; 0 if it is neither. */
std::uint64_t parse_size(const std::string& text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (*end == 'K') return value << 10;
  if (*end == 'M') return value << 20;
  return value;
}

struct Cache {
  int level = 0;
  std::uint64_t bytes = 0;
  std::string shared_with;
};

std::vector<Cache> data_caches(const std::string& root, int cpu) {
  std::vector<Cache> caches;
  for (int index = 0; index < 8; ++index) {
    const std::string base = cpu_path(root, cpu) + "/cache/index" + std::to_string(index) + "/";
    const std::string type = read_line(base + "type");
    if (type.empty()) break;
    if (type == "Instruction") continue;
    caches.push_back({std::atoi(read_line(base + "level").c_str()), parse_size(read_line(base + "size")),
                      read_line(base + "shared_cpu_list")});
  }
  return caches;
}

/** The L3 cache of one core complex of AMD's server CPUs: 32 MiB since Zen 3 without stacked cache. */
constexpr std::uint64_t kComplexBytes = 32 << 20;

bool is_amd(const std::string& proc_root) {
  std::ifstream cpuinfo(proc_root + "/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line) && !line.empty();) {
    if (line.rfind("vendor_id", 0) == 0) return line.find("AuthenticAMD") != std::string::npos;
  }
  return false;
}

/**
 * In a virtual machine without cache topology (CPUID 8000001D), libc reports the sum over all complexes of the host's
 * package (CPUID 80000006): half a gigabyte, of which two cores can use 64 MiB. CPUs with adjacent numbers are assumed
 * to share a cache.
 */
void split_by_complex(Topology& t) {
  const auto complexes = static_cast<int>(std::min<std::uint64_t>(t.cpus.size(), t.llc_bytes / kComplexBytes));
  if (complexes < 1) return;
  t.llc_bytes = kComplexBytes;
  t.llc_domains = complexes;
  const auto count = static_cast<int>(t.cpus.size());
  for (int i = 0; i < count; ++i) t.llc_domain[t.cpus[static_cast<std::size_t>(i)]] = i * complexes / count;
}

void read_caches(const std::string& root, const std::string& proc_root, Topology& t) {
  std::map<std::string, int> domains;
  for (const int cpu : t.cpus) {
    std::string shared_with;
    for (const Cache& cache : data_caches(root, cpu)) {
      if (cache.level == 1) t.l1d_bytes = cache.bytes;
      if (cache.level == 2) t.l2_bytes = cache.bytes;
      if (cache.level < t.llc_level) continue;
      t.llc_level = cache.level;
      t.llc_bytes = cache.bytes;
      shared_with = cache.shared_with;
    }
    t.llc_domain[cpu] = domains.emplace(shared_with, static_cast<int>(domains.size())).first->second;
  }
  t.llc_domains = std::max<int>(1, static_cast<int>(domains.size()));
  const auto fallback = [](std::uint64_t& bytes, int name) {
    const long value = sysconf(name);
    if (bytes == 0 && value > 0) bytes = static_cast<std::uint64_t>(value);
  };
  fallback(t.l1d_bytes, _SC_LEVEL1_DCACHE_SIZE);
  fallback(t.l2_bytes, _SC_LEVEL2_CACHE_SIZE);
  const bool is_told = t.llc_bytes > 0;
  fallback(t.llc_bytes, _SC_LEVEL3_CACHE_SIZE);
  if (!is_told && is_amd(proc_root)) split_by_complex(t);
  if (t.llc_bytes == 0) t.llc_bytes = t.l2_bytes;
}

/** Bytes of one line of /proc/meminfo; 0 if it is not there. */
std::uint64_t read_meminfo(const std::string& proc_root, const std::string& wanted) {
  std::ifstream meminfo(proc_root + "/meminfo");
  std::string name, unit;
  for (std::uint64_t kib; meminfo >> name >> kib && std::getline(meminfo, unit);) {
    if (name == wanted) return kib << 10;
  }
  return 0;
}

}  // namespace

std::vector<int> allowed_cpus() {
  // 16384 CPUs cover every kernel configuration in use; a fixed cpu_set_t holds 1024, and the call fails with EINVAL on
  // larger machines.
  constexpr int kMaxCpus = 16384;
  cpu_set_t* set = CPU_ALLOC(kMaxCpus);
  const std::size_t size = CPU_ALLOC_SIZE(kMaxCpus);
  std::vector<int> cpus;
  if (set && sched_getaffinity(0, size, set) == 0) {
    for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
      if (CPU_ISSET_S(cpu, size, set)) cpus.push_back(cpu);
    }
  }
  CPU_FREE(set);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',') && cpus.size() < 4096;) {
    int first = 0, last = 0;
    const int fields = std::sscanf(part.c_str(), "%d-%d", &first, &last);
    if (fields < 1) break;
    for (int cpu = first; cpu <= (fields == 2 ? last : first) && cpus.size() < 4096; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

Topology read_topology(const std::string& root, const std::string& proc_root, const std::vector<int>& cpus) {
  Topology t;
  t.cpus = cpus;
  std::set<std::string> seen;
  for (const int cpu : t.cpus) {
    const std::string siblings = read_line(cpu_path(root, cpu) + "/topology/thread_siblings_list");
    if (siblings.empty() || seen.insert(siblings).second) t.core_cpus.push_back(cpu);
  }
  read_caches(root, proc_root, t);
  t.memory_bytes = read_meminfo(proc_root, "MemTotal:");
  t.cpu_quota = read_cgroup_limits(root, proc_root).cpu_quota;
  // Memory without CPUs is a node too: 8 of the 9 of a Grace Hopper are the GPU's.
  std::string nodes = read_line(root + "/devices/system/node/has_cpu");
  if (nodes.empty()) nodes = read_line(root + "/devices/system/node/online");
  if (!nodes.empty()) t.numa_nodes = std::max<int>(1, static_cast<int>(parse_cpu_list(nodes).size()));
  const std::string governor = read_line(cpu_path(root, t.cpus[0]) + "/cpufreq/scaling_governor");
  if (!governor.empty()) t.governor = governor;
  return t;
}

std::uint64_t available_memory(const std::string& root, const std::string& proc_root) {
  const std::uint64_t of_machine = read_meminfo(proc_root, "MemAvailable:");
  return std::min(of_machine, read_cgroup_limits(root, proc_root).memory_available_bytes.value_or(of_machine));
}

}  // namespace gpumark
