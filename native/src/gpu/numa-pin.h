#pragma once
#include <string>

namespace gpumark {

/**
 * Keeps the calling thread on the processors of a NUMA node, so that what it pins lies near the device. Does nothing
 * for -1.
 */
void pin_to_numa_node(int node, const std::string& sysfs_root);

}  // namespace gpumark
