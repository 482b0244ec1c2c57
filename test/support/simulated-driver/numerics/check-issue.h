// Issue probes: the values of their accumulators are known, regardless of the hardware.
#pragma once
#include <string>

namespace gpumark::numerics {

/**
 * Checks the probe with the name `only`, or all if it is empty; prints a line per run. @returns how many runs were
 * checked and how many of them are wrong
 */
struct IssueCounts {
  unsigned checked, wrong;
};
IssueCounts check_issue_probes(const std::string& only);

}  // namespace gpumark::numerics
