// Topology of made-up processors, and limits of made-up control groups.
#include <algorithm>

#include "cpu/cgroup.h"
#include "cpu/topology.h"
#include "fake-tree.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

void put_cpu(const FakeTree& sys, int cpu, const std::string& siblings, const std::string& llc) {
  const std::string base = "devices/system/cpu/cpu" + std::to_string(cpu) + "/";
  sys.put(base + "topology/thread_siblings_list", siblings);
  sys.put(base + "cache/index0/type", "Unified");
  sys.put(base + "cache/index0/level", "3");
  sys.put(base + "cache/index0/size", "16M");
  sys.put(base + "cache/index0/shared_cpu_list", llc);
}

/** The groups and mounts of one process, in folders of its own. */
struct Host {
  FakeTree sys, proc;
  Host(const std::string& own, const std::string& mounts) {
    proc.put("self/cgroup", own);
    proc.put("self/mountinfo", mounts);
  }
  CgroupLimits limits() const { return read_cgroup_limits(sys.root(), proc.root()); }
};

const char* const kV2Mount = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
const char* const kV1Mounts =
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct";

void v2_walk() {
  const Host host("0::/slurm/job_7/step_0", kV2Mount);
  check(!host.limits().memory_available_bytes && host.limits().cpu_quota == 0, "groups without limits limit nothing");
  host.sys.put("fs/cgroup/slurm/memory.max", std::to_string(900 * kMiB));
  host.sys.put("fs/cgroup/slurm/memory.current", std::to_string(300 * kMiB));
  host.sys.put("fs/cgroup/slurm/job_7/memory.max", std::to_string(800 * kMiB));
  host.sys.put("fs/cgroup/slurm/job_7/memory.current", std::to_string(100 * kMiB));
  host.sys.put("fs/cgroup/slurm/job_7/step_0/memory.max", "max");
  host.sys.put("fs/cgroup/slurm/job_8/memory.max", "4096");
  host.sys.put("fs/cgroup/slurm/cpu.max", "300000 100000");
  host.sys.put("fs/cgroup/slurm/job_7/cpu.max", "75000 50000");
  host.sys.put("fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000");
  // slurm leaves 900 - 300, job_7 leaves 800 - 100; the job beside it does not matter. 75000 / 50000 = 1.5 of 3 cores.
  check(host.limits().memory_available_bytes == 600 * kMiB,
        "v2: the lowest limit of any group from the own one upwards");
  check(host.limits().cpu_quota == 1.5, "v2: the least quota from the own group upwards");
  host.sys.put("fs/cgroup/slurm/memory.stat", "anon 5\ninactive_file " + std::to_string(250 * kMiB));
  check(host.limits().memory_available_bytes == 700 * kMiB,
        "v2: file pages that the kernel can drop are not held: 900 - (300 - 250) > 700");
  host.sys.put("fs/cgroup/slurm/job_7/memory.current", std::to_string(801 * kMiB));
  check(host.limits().memory_available_bytes == std::uint64_t{0}, "v2: a group over its limit leaves nothing");
}

void v1_walk() {
  const Host host("4:memory:/batch/run\n3:cpu,cpuacct:/batch\n1:name=systemd:/batch", kV1Mounts);
  host.sys.put("fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  host.sys.put("fs/cgroup/memory/batch/memory.limit_in_bytes", std::to_string(512 * kMiB));
  host.sys.put("fs/cgroup/memory/batch/memory.usage_in_bytes", std::to_string(112 * kMiB));
  host.sys.put("fs/cgroup/memory/batch/run/memory.limit_in_bytes", "9223372036854771712");
  host.sys.put("fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  host.sys.put("fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  host.sys.put("fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "250000");
  host.sys.put("fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us", "100000");
  check(host.limits().memory_available_bytes == 400 * kMiB, "v1: 512 - 112 MiB of the group around the own one");
  check(host.limits().cpu_quota == 2.5, "v1: quota over period");
}

void container_mount() {
  // The container sees its own group at the mount's root, but the path counts from the host's.
  const Host host("4:memory:/docker/abc/inner",
                  "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory");
  host.sys.put("fs/cgroup/memory/memory.limit_in_bytes", std::to_string(64 * kMiB));
  check(host.limits().memory_available_bytes == 64 * kMiB, "the limit at the root of a container's mount counts");
  host.sys.put("fs/cgroup/memory/inner/memory.limit_in_bytes", std::to_string(32 * kMiB));
  check(host.limits().memory_available_bytes == 32 * kMiB, "a group inside the container is found below its mount");
  const Host outside("0::/../../other", kV2Mount);
  outside.sys.put("fs/cgroup/memory.max", std::to_string(48 * kMiB));
  check(outside.limits().memory_available_bytes == 48 * kMiB,
        "a group outside of the mount takes the mount's own limit");
}

/** The L3 size that libc reports for this machine, read as if there were no other source. */
void complexes() {
  const FakeTree sys, amd, intel;
  amd.put("cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n");
  intel.put("cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n");
  const Topology whole = read_topology(sys.root(), intel.root(), {0, 1, 2, 3});
  check(whole.llc_domains == 1, "one cache for all that is not said to be shared otherwise");
  const std::uint64_t parts = std::min<std::uint64_t>(4, whole.llc_bytes / (32 * kMiB));
  const Topology split = read_topology(sys.root(), amd.root(), {0, 1, 2, 3});
  if (parts < 1) return check(split.llc_bytes == whole.llc_bytes, "a cache smaller than a complex's is left as it is");
  check(split.llc_bytes == 32 * kMiB && split.llc_domains == static_cast<int>(parts),
        "AMD: a core reaches 32 MiB, and no more complexes than cores");
  check(split.llc_domain.at(0) == 0 && split.llc_domain.at(3) == static_cast<int>(parts) - 1,
        "neighbours in number share a complex");
}

}  // namespace

void check_topology() {
  const FakeTree sys;
  // Two cores with two threads each, as Linux numbers them: 0 and 2, 1 and 3. One last-level cache per core.
  for (const int cpu : {0, 2}) put_cpu(sys, cpu, "0,2", "0,2");
  for (const int cpu : {1, 3}) put_cpu(sys, cpu, "1,3", "1,3");
  const Topology t = read_topology(sys.root(), "/proc", {0, 1, 2, 3});
  check(t.core_cpus == std::vector<int>({0, 1}), "one worker per physical core");
  check(t.llc_domains == 2 && t.llc_bytes == 16 * kMiB, "two caches of 16 MiB");
  check(t.llc_domain.size() == 4, "every logical CPU has a cache, the second thread of a core too");
  if (t.llc_domain.size() != 4) return;
  check(t.llc_domain.at(2) == t.llc_domain.at(0) && t.llc_domain.at(3) == t.llc_domain.at(1) &&
            t.llc_domain.at(0) != t.llc_domain.at(1),
        "the threads of a core share its cache");
  complexes();
  // A Grace Hopper: the nodes of the GPU's memory have no CPUs. Linux before 3.8 has no list of those that have.
  sys.put("devices/system/node/online", "0-8");
  check(read_topology(sys.root(), "/proc", {0, 1}).numa_nodes == 9, "without a list of nodes with CPUs all count");
  sys.put("devices/system/node/has_cpu", "0");
  check(read_topology(sys.root(), "/proc", {0, 1}).numa_nodes == 1, "memory without CPUs does not count");
}

void check_cgroups() {
  v2_walk();
  v1_walk();
  container_mount();
  // The runner uses the group's limit, not the machine's memory.
  const Host host("0::/job", kV2Mount);
  host.sys.put("fs/cgroup/job/memory.max", std::to_string(100 * kMiB));
  host.sys.put("fs/cgroup/job/cpu.max", "150000 100000");
  host.proc.put("meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB");
  const Topology t = read_topology(host.sys.root(), host.proc.root(), {0, 1});
  check(t.memory_bytes == 8192 * kMiB && t.cpu_quota == 1.5, "the topology carries the quota of the groups");
  const auto available = [&] { return available_memory(host.sys.root(), host.proc.root()); };
  check(available() == 100 * kMiB, "the limit of the group is below what the machine has available");
  host.sys.put("fs/cgroup/job/memory.current", std::to_string(70 * kMiB));
  check(available() == 30 * kMiB, "what the group has taken since is not available any more");
  host.proc.put("meminfo", "MemTotal: 8388608 kB\nMemAvailable: 20480 kB");
  check(available() == 20 * kMiB, "nor is what others on the machine have taken");
}
