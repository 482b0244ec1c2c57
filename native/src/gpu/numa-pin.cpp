#include "gpu/numa-pin.h"

#include <sched.h>

#include "cpu/topology.h"

namespace gpumark {

void pin_to_numa_node(int node, const std::string& sysfs_root) {
  if (node < 0) return;
  const std::vector<int> allowed = allowed_cpus();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu :
       parse_cpu_list(read_line(sysfs_root + "/devices/system/node/node" + std::to_string(node) + "/cpulist"))) {
    for (const int mine : allowed) {
      if (mine == cpu) CPU_SET(cpu, &set);
    }
  }
  // A cgroup may give this process no processor of that node; then the thread stays where it is.
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
}

}  // namespace gpumark
